/** What runs as `pulumi-resource-deployment-control`: the same resources and look-ups, for programs in every language. */
import { deploymentComputedRows, deploymentOutputRows, revisionKeyRows } from "./fields/deployment";
import { listenerComputedRows, listenerOutputRows } from "./fields/listener";
import { LOOK_UPS, type LookUp } from "./fields/lookups";
import { rolloutOutputRows } from "./fields/rollout";
import { smokeTestOutputRows } from "./fields/smokeTest";
import { tokenMetadataComputedRows, tokenMetadataOutputRows } from "./fields/tokenMetadata";
import { type Properties, UNKNOWN } from "./fields/value";
import type { Served, ServedFunction } from "./host/plugin/adapter";
import { serve } from "./host/plugin/server";
import { RESOURCES } from "./resources";

function revisionKey(id: string | undefined, outputs: Properties): Properties {
  // What is only read counts nothing: its newest revision is what it can tell.
  const { revisionGeneration, latestRevisionId } = outputs;
  const own = revisionGeneration === 0 ? (latestRevisionId ?? "none") : revisionGeneration;
  return { revisionKey: id === undefined || own === UNKNOWN ? UNKNOWN : `${id}:${own}` };
}

const lookups = () => require("./lookups") as typeof import("./lookups");

const NOT_THERE = "the service has no such thing. Declare it";

export const served: Served = {
  version: (require("../package.json") as { version: string }).version,
  schema: () => JSON.stringify(require("./schema.json")),
  resources: {
    Deployment: () => ({
      resource: RESOURCES.Deployment(),
      outputRows: { ...deploymentOutputRows, ...deploymentComputedRows, ...revisionKeyRows },
      derived: revisionKey,
    }),
    Listener: () => ({
      resource: RESOURCES.Listener(),
      outputRows: { ...listenerOutputRows, ...listenerComputedRows },
    }),
    TokenMetadata: () => ({
      resource: RESOURCES.TokenMetadata(),
      outputRows: { ...tokenMetadataOutputRows, ...tokenMetadataComputedRows },
      unreadable:
        "the service has no call that shows what it stores. Declare it: the first up takes over what is there",
    }),
    Rollout: () => ({
      resource: RESOURCES.Rollout(),
      outputRows: rolloutOutputRows,
      unreadable: NOT_THERE,
    }),
    SmokeTest: () => ({
      resource: RESOURCES.SmokeTest(),
      outputRows: smokeTestOutputRows,
      unreadable: NOT_THERE,
    }),
  },
  functions: Object.fromEntries(
    (Object.entries(LOOK_UPS) as [LookUp, string][]).map(([name, list]) => [
      name,
      {
        name: list,
        call: (source, args) => lookups()[name](lookups().configured(source), args),
      } satisfies ServedFunction,
    ]),
  ),
  wordsOfFailure: (error) => lookups().wordsOfFailure(error),
};

/** Starts the server and tells the engine, which reads standard output, where. */
export async function main(): Promise<void> {
  const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const { port } = await serve(served, engine);
  process.stdout.write(`${port}\n`);
}
