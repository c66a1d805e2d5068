/** The executable `pulumi-resource-deployment-control`, which serves programs in every language. */

import type { Served, ServedFunction } from "./engine/plugin/adapter";
import type { Settings } from "./engine/plugin/configuration";
import { serve } from "./engine/plugin/server";
import { configured, LIST_CALLS, LOOK_UP_CALLS, wordsOfFailure } from "./lookups";
import { RESOURCES } from "./resources";
import { LOOK_UPS, type LookUp } from "./schema/lookups";

const opening = ({ source, environment }: Settings) => configured(source, environment);

export const served: Served = {
  version: (require("../package.json") as { version: string }).version,
  schema: () => JSON.stringify(require("./schema.json")),
  resources: RESOURCES,
  functions: Object.fromEntries(
    (Object.entries(LOOK_UPS) as [LookUp, string][]).map(([name, list]) => [
      name,
      {
        name: list,
        call: (settings, args) => LOOK_UP_CALLS[name](opening(settings), args),
      } satisfies ServedFunction,
    ]),
  ),
  lists: {
    Deployment: (settings, filters) => LIST_CALLS.Deployment(opening(settings), filters),
    Listener: (settings, filters) => LIST_CALLS.Listener(opening(settings), filters),
  },
  wordsOfFailure,
};

export async function main(): Promise<void> {
  const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const { port } = await serve(served, engine);
  process.stdout.write(`${port}\n`);
}
