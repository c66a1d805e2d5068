/** What the quick start in every language needs of the service, and what follows its revisions. */
import type { Surroundings } from "../examples/example";

export const quickstart: Surroundings = {
  service: { hosting: "self-hosted" },
  prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
  dependent: "announced",
};
