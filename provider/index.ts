/** What runs in Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { dynamicProvider } from "./host/dynamic";
import { RESOURCES } from "./resources";

export const deployment = dynamicProvider(RESOURCES.Deployment);
export const listener = dynamicProvider(RESOURCES.Listener);
export const rollout = dynamicProvider(RESOURCES.Rollout);
export const smokeTest = dynamicProvider(RESOURCES.SmokeTest);
export const tokenMetadata = dynamicProvider(RESOURCES.TokenMetadata);
