/** Reads what a killed run left pending, from the output of `pulumi stack export`. */
import { sealedValue } from "../../provider/deployment/pending";
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
import { type Properties, propertiesIn, valueAt } from "../../provider/schema/value";
import { type Entry, opened, recordingOf, type Source, secretNamesIn, statesIn } from "../adopt/read/stack";

/** A resource's inputs or outputs, with placeholders for the secrets that the export hides. */
export interface Side<V extends Arguments = Arguments> {
  readonly values: V;
  readonly secretPaths: readonly string[];
  /** The values of the resource's secrets, if the export shows them. */
  readonly secrets: readonly unknown[];
  /** Whether the export hides values. */
  readonly isSealed: boolean;
}

/** The settings of the provider that a resource used. */
export interface ProviderSettings {
  /** A key that identifies the provider. */
  readonly key: string;
  /** Whether the program declares the provider; if not, it is the stack's default provider. */
  readonly isExplicit: boolean;
  readonly source: ConfigurationSource;
}

export interface Operation {
  readonly type: "creating" | "updating";
  readonly resource: keyof typeof RESOURCES;
  readonly urn: string;
  readonly inputs: Side<Inputs>;
  /** The resource that the state has under this URN; undefined if there is none, or if it awaits deletion. */
  readonly recorded: (Side<State> & { readonly id: string }) | undefined;
  readonly provider: ProviderSettings;
}

export interface PendingState {
  readonly operations: readonly Operation[];
  /** The ids of all resources in the state. */
  readonly ids: ReadonlySet<string>;
  /** When the stack's first update began, in ISO 8601; undefined if the state does not say. */
  readonly createdAt: string | undefined;
}

/**
 * Reads an export's pending operations. Throws an Error that names the place of a fault and quotes no value, and a
 * RefusedError if a newer version of this package wrote the state.
 */
export function pendingStateIn(source: Source): PendingState {
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

export interface Recorded extends Side<State> {
  readonly urn: string;
  readonly id: string;
  /** Whether the program only reads the deployment. */
  readonly isRead: boolean;
  readonly provider: ProviderSettings;
}

/** The deployments in the state, both dynamic resources and the plugin's. Throws the errors of `pendingStateIn`. */
export function deploymentsIn(source: Source): Recorded[] {
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

function sideOf({ inputs = {}, outputs }: Pick<Entry, "inputs" | "outputs">): Side<Properties> {
  const { values, secretPaths, secretPlaces } = recordingOf({ inputs, outputs });
  const secrets = secretPlaces.map((place) => opened(valueAt(inputs, place)));
  return {
    values: { ...values, ...sealedSecrets(values, inputs) },
    secretPaths,
    secrets,
    isSealed: secrets.includes(undefined),
  };
}

/** Placeholders, by name, for the secrets that the export hides, made from the generations, which are in plaintext. */
function sealedSecrets(values: State, inputs: Inputs): Properties {
  const names = secretNamesIn(values, inputs).filter(
    (name) => valueAt(values, ["secrets", name]) === undefined,
  );
  if (names.length === 0) return {};
  const sealed = names.map((name) => [name, sealedValue(valueAt(values, ["secretGenerations", name]))]);
  return { secrets: { ...propertiesIn(values.secrets), ...Object.fromEntries(sealed) } };
}

/**
 * The settings of a provider; the provider of dynamic resources records each setting under its full name. `reference`:
 * the provider's URN and id.
 */
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
