/** The state of the service that the quick start needs in every language, and the resources that follow its revisions. */
import type { Surroundings } from "../examples/example";

export const quickstart: Surroundings = {
  service: { hosting: "self-hosted" },
  prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
  dependent: "announced",
};
