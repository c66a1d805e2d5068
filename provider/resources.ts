/** Every resource by its type, loaded with its first use: a plan of deployments needs no other. One more is one more row. */
export const RESOURCES = {
  Deployment: () =>
    (require("./deployment/deployment") as typeof import("./deployment/deployment")).deployment,
  Listener: () => (require("./listener") as typeof import("./listener")).listener,
  TokenMetadata: () => (require("./tokenMetadata") as typeof import("./tokenMetadata")).tokenMetadata,
  Rollout: () => (require("./rollout/rollout") as typeof import("./rollout/rollout")).rollout,
  SmokeTest: () => (require("./smokeTest/smokeTest") as typeof import("./smokeTest/smokeTest")).smokeTest,
};
