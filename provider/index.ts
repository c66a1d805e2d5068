/** The entry point for Pulumi's provider process: `require("pulumi-deployment-control/provider").deployment`. */
import { providerName } from "./fields/naming";
import { dynamicProvider } from "./host/dynamic";
import { RESOURCES } from "./resources";

export = Object.fromEntries(
  Object.entries(RESOURCES).map(([type, resource]) => [providerName(type), dynamicProvider(resource)]),
);
