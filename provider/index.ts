/** What runs in Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { deployment as deploymentResource } from "./deployment";
import { dynamicProvider } from "./dynamic";
import { listener as listenerResource } from "./listener";

export const deployment = dynamicProvider(deploymentResource);
export const listener = dynamicProvider(listenerResource);
