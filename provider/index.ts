/** What runs in Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { dynamicProvider } from "./dynamic";

export const deployment = dynamicProvider(
  () => (require("./deployment") as typeof import("./deployment")).deployment,
);
export const listener = dynamicProvider(
  () => (require("./listener") as typeof import("./listener")).listener,
);
export const rollout = dynamicProvider(
  () => (require("./rolloutResource") as typeof import("./rolloutResource")).rollout,
);
export const smokeTest = dynamicProvider(
  () => (require("./smokeTest") as typeof import("./smokeTest")).smokeTest,
);
export const tokenMetadata = dynamicProvider(
  () => (require("./tokenMetadata") as typeof import("./tokenMetadata")).tokenMetadata,
);
