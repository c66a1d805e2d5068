/** The entry point for Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */

import { dynamicProvider } from "./engine/dynamic";
import { RESOURCES } from "./resources";
import { providerName } from "./schema/naming";

export = Object.fromEntries(
  Object.entries(RESOURCES).map(([type, resource]) => [providerName(type), dynamicProvider(resource)]),
);
