/** What runs in Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { dynamicProvider } from "./host/dynamic";

export const deployment = dynamicProvider(
  () => (require("./deployment/deployment") as typeof import("./deployment/deployment")).deployment,
);
export const listener = dynamicProvider(
  () => (require("./listener") as typeof import("./listener")).listener,
);
export const rollout = dynamicProvider(
  () => (require("./rollout/rollout") as typeof import("./rollout/rollout")).rollout,
);
export const smokeTest = dynamicProvider(
  () => (require("./smokeTest/smokeTest") as typeof import("./smokeTest/smokeTest")).smokeTest,
);
export const tokenMetadata = dynamicProvider(
  () => (require("./tokenMetadata") as typeof import("./tokenMetadata")).tokenMetadata,
);
