/** The executable `pulumi-resource-deployment-control`: the same resources and look-ups, for every language. */
import { LOOK_UPS, type LookUp } from "./fields/lookups";
import type { Served, ServedFunction } from "./host/plugin/adapter";
import { serve } from "./host/plugin/server";
import { configured, LOOK_UP_CALLS, listDeployments, listListeners, wordsOfFailure } from "./lookups";
import { RESOURCES } from "./resources";

export const served: Served = {
  version: (require("../package.json") as { version: string }).version,
  schema: () => JSON.stringify(require("./schema.json")),
  resources: RESOURCES,
  functions: Object.fromEntries(
    (Object.entries(LOOK_UPS) as [LookUp, string][]).map(([name, list]) => [
      name,
      {
        name: list,
        call: ({ source, environment }, args) => LOOK_UP_CALLS[name](configured(source, environment), args),
      } satisfies ServedFunction,
    ]),
  ),
  lists: {
    Deployment: ({ source, environment }, filters) =>
      listDeployments(configured(source, environment), filters),
    Listener: ({ source, environment }, filters) => listListeners(configured(source, environment), filters),
  },
  wordsOfFailure,
};

/** Starts the server and prints its port for the engine. */
export async function main(): Promise<void> {
  const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const { port } = await serve(served, engine);
  process.stdout.write(`${port}\n`);
}
