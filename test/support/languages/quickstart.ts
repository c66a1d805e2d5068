/** The service that the quick start needs in any language, and the resource that depends on the revisions. */
import type { Surroundings } from "../examples/example";

export const quickstart: Surroundings = {
  service: { hosting: "self-hosted" },
  prepare: (emulator) => emulator.addListener({ compute_id: "quickstart-cluster" }),
  dependent: "announced",
};
