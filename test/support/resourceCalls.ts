/** Calls the resources as the dynamic host does, through `DynamicBorder`, in a run that the test passes. */
import type { Resource } from "../../provider/call";
import { deployment as deploymentResource } from "../../provider/deployment/deployment";
import { DynamicBorder } from "../../provider/engine/dynamic";
import { CURRENT_SCHEMA, SCHEMA } from "../../provider/engine/schema";
import { listener as listenerResource } from "../../provider/listener";
import { rollout as rolloutResource } from "../../provider/rollout/rollout";
import type { EngineRun } from "../../provider/run/run";
import { isProperties, type Properties } from "../../provider/schema/value";
import { smokeTest as smokeTestResource } from "../../provider/smokeTest/smokeTest";
import { tokenMetadata as tokenMetadataResource } from "../../provider/tokenMetadata";

const MARK = "4dabf18193072939515e22adb298388d";

/** The plan that a refresh records with the inputs. */
export const refreshed = (profile: string): Properties => ({
  version: 1,
  number: 1,
  profile,
  service: expect.stringMatching(/^http/),
  verdict: "unchanged",
  changes: [],
});

/** Adds the current schema's number to a state, because every recorded state has this number. */
const recorded = (state: Properties): Properties => ({ [SCHEMA]: CURRENT_SCHEMA, ...state });

/** The outputs without the schema's number. */
function shown({ [SCHEMA]: _version, ...outputs }: Properties): Properties {
  return outputs;
}

/** The value without the engine's marks of secrets. */
function unmarked(value: unknown): unknown {
  if (!isProperties(value)) return value;
  if (MARK in value) return value.value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

/** If the operation fails halfway, also removes the schema's number from the outputs in the operation's error. */
async function showing<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error & { properties?: Properties }) => {
    throw error.properties === undefined
      ? error
      : Object.assign(error, { properties: shown(error.properties) });
  });
}

function called(resource: Resource) {
  const border = (run: EngineRun) => new DynamicBorder(resource, () => run);
  return {
    async check(run: EngineRun, olds: Properties | undefined, news: Properties) {
      const { inputs, failures } = await border(run).check(olds ?? {}, news);
      return { inputs: unmarked(inputs) as Properties, failures };
    },
    /**
     * `planned`: whether to call `check` first, as the engine does in a plan. In an update and a refresh, the engine
     * calls only `diff`.
     */
    async diff(run: EngineRun, id: string, olds: Properties, news: Properties, planned: boolean) {
      const resourceBorder = border(run);
      if (planned) await resourceBorder.check(recorded(olds), news);
      return resourceBorder.diff(id, recorded(olds), news);
    },
    async create(run: EngineRun, inputs: Properties) {
      const { id, outs } = await showing(border(run).create(inputs));
      return { id, outputs: shown(outs) };
    },
    async read(run: EngineRun, id: string, state: Properties) {
      const { props, inputs, ...readOutcome } = await border(run).read(id, recorded(state));
      return {
        id: undefined,
        ...readOutcome,
        ...(props && { outputs: shown(props) }),
        ...(inputs && { inputs: unmarked(inputs) as Properties }),
      };
    },
    async update(run: EngineRun, id: string, olds: Properties, news: Properties) {
      return shown((await showing(border(run).update(id, recorded(olds), news))).outs);
    },
    delete: (run: EngineRun, id: string, state: Properties) => border(run).delete(id, recorded(state)),
  };
}

export const deployment = called(deploymentResource);
export const listener = called(listenerResource);
export const rollout = called(rolloutResource);
export const smokeTest = called(smokeTestResource);
export const tokenMetadata = called(tokenMetadataResource);

export const createDeployment = deployment.create;
export const readDeployment = deployment.read;
export const updateDeployment = deployment.update;
export const destroyDeployment = deployment.delete;
