/** What runs in Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { deployment as deploymentResource } from "./deployment";
import { dynamicProvider } from "./dynamic";
import { listener as listenerResource } from "./listener";
import { rollout as rolloutResource } from "./rolloutResource";
import { smokeTest as smokeTestResource } from "./smokeTest";
import { tokenMetadata as tokenMetadataResource } from "./tokenMetadata";

export const deployment = dynamicProvider(deploymentResource);
export const listener = dynamicProvider(listenerResource);
export const rollout = dynamicProvider(rolloutResource);
export const smokeTest = dynamicProvider(smokeTestResource);
export const tokenMetadata = dynamicProvider(tokenMetadataResource);
