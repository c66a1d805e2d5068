/** Reads the operations that a killed run left pending, from the output of `pulumi stack export`. */
import { isMarked } from "../../provider/engine/marks";
import { RESOURCES } from "../../provider/resources";
import type { ConfigurationSource } from "../../provider/run/configuration";
import {
  inDynamicForm,
  isEnginesProvider,
  NAME,
  nameIn,
  resourceOfType,
  settingName,
  typeIn,
} from "../../provider/schema/naming";
import type { Arguments, Inputs, State } from "../../provider/schema/recorded";
import { type Properties, valueAt } from "../../provider/schema/value";
import { type Entry, opened, recordingOf, type Source, statesIn } from "../adopt/read/stack";

/** A resource's inputs or outputs. */
export interface Side<V extends Arguments = Arguments> {
  readonly values: V;
  readonly secretPaths: readonly string[];
  /** The values of the resource's secrets. */
  readonly secrets: readonly unknown[];
}

/** The settings of the provider that a resource used. */
export interface ProviderSettings {
  /** A key that identifies the provider. */
  readonly key: string;
  /** Whether the program declares the provider. The stack's default provider is not declared. */
  readonly isExplicit: boolean;
  readonly source: ConfigurationSource;
}

export interface Operation {
  readonly type: "creating" | "updating";
  readonly resource: keyof typeof RESOURCES;
  readonly urn: string;
  readonly inputs: Side<Inputs>;
  /** The resource that the state has under this URN; undefined if there is none, or if the resource awaits deletion. */
  readonly recorded: (Side<State> & { readonly id: string }) | undefined;
  readonly provider: ProviderSettings;
}

export type PendingState = ReturnType<typeof pendingStateIn>;

/**
 * Reads an export's pending operations, the ids of its resources, and the start of the stack's first update (ISO 8601).
 * Throws an Error if the export is faulty or hides secrets, and a RefusedError if a newer version wrote the state.
 */
export function pendingStateIn(source: Source) {
  const deployment = stateIn(source);
  const entries = deployment.resources ?? [];
  const living = new Map(entries.filter(isLiving).map((entry) => [inDynamicForm(entry.urn), entry]));
  const operations = (deployment.pending_operations ?? []).flatMap(
    ({ type, resource: pending }): Operation[] => {
      const kind = resourceOfType(typeIn(pending.urn));
      if ((type !== "creating" && type !== "updating") || kind === undefined) return [];
      if (!Object.hasOwn(RESOURCES, kind)) return [];
      const entry = living.get(inDynamicForm(pending.urn));
      return [
        {
          type,
          resource: kind as Operation["resource"],
          urn: pending.urn,
          inputs: sideOf({ ...pending, outputs: undefined }),
          recorded: entry && { ...sideOf(entry), id: entry.id as string },
          provider: providerOf(pending.provider, entries),
        },
      ];
    },
  );
  return {
    operations,
    ids: new Set(entries.flatMap(({ id }) => id ?? [])),
    createdAt: entries.find(({ urn }) => typeIn(urn) === "pulumi:pulumi:Stack")?.created,
  };
}

function stateIn(source: Source) {
  const states = statesIn(source);
  const [state] = states;
  if (state !== undefined && states.length === 1) return state;
  throw new Error(`${source.name}: expected one document, found ${states.length}`);
}

/** Whether the resource exists on the service and does not await deletion. */
const isLiving = (entry: Entry): boolean =>
  entry.delete !== true && entry.pendingReplacement !== true && entry.id !== undefined;

export type Recorded = ReturnType<typeof deploymentsIn>[number];

/** The deployments in the state: dynamic and plugin resources. Throws the same errors as `pendingStateIn`. */
export function deploymentsIn(source: Source) {
  const entries = stateIn(source).resources ?? [];
  return entries
    .filter((entry) => isLiving(entry) && resourceOfType(typeIn(entry.urn)) === "Deployment")
    .map((entry) => ({
      ...sideOf(entry),
      urn: entry.urn,
      id: entry.id as string,
      isRead: entry.external === true,
      provider: providerOf(entry.provider, entries),
    }));
}

/** Throws an Error if the export hides a secret, because a change to a hidden value would go unnoticed. */
function sideOf({ inputs = {}, outputs }: Pick<Entry, "inputs" | "outputs">): Side<Properties> {
  const { values, secretPaths, secretPlaces } = recordingOf({ inputs, outputs });
  const secrets = secretPlaces.map((place) => opened(valueAt(inputs, place)));
  if (secrets.includes(undefined))
    throw new Error("the export hides secrets: make it with `pulumi stack export --show-secrets`");
  return { values, secretPaths, secrets };
}

/** The settings of a provider. `reference`: the provider's URN and id. */
function providerOf(reference: string | undefined, entries: readonly Entry[]): ProviderSettings {
  const { urn = "", inputs = {} } = entries.find((entry) => `${entry.urn}::${entry.id}` === reference) ?? {};
  const isPlugins = typeIn(urn) === `pulumi:providers:${NAME}`;
  const inputOf = (key: string): unknown => valueAt(inputs, [isPlugins ? key : settingName(key)]);
  const settingOf = (key: string): string | undefined => {
    const value = opened(inputOf(key));
    return typeof value === "string" || value === undefined ? value : JSON.stringify(value);
  };
  return {
    key: reference ?? "",
    isExplicit: isPlugins && !isEnginesProvider(nameIn(urn), inputs.version),
    source: Object.assign(settingOf, { isSecret: (key: string) => isMarked(inputOf(key)) }),
  };
}
