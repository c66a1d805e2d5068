/**
 * Packs facts into properties whose names begin with `__`, because a dynamic resource's methods get only properties.
 */
import type { Facts } from "../call";
import { isAbsent, type Properties, propertiesIn } from "../schema/value";

const NAMES = {
  /** The code that the dynamic host runs. */
  provider: "__provider",
  urn: "__urn",
  secretPaths: "__secrets",
  timeouts: "__timeouts",
  retained: "__retained",
  deleteBeforeReplace: "__deleteBeforeReplace",
  readOnly: "__get",
  ofDeployment: "__deployment",
  /** The names of the settings that the program's stack keeps as secrets. The host passes their values in plaintext. */
  secretSettings: "__secretSettings",
} satisfies { readonly [fact in keyof Facts | "provider" | "secretSettings"]: string };

const PACKED: ReadonlySet<string> = new Set(Object.values(NAMES));

/** Drops absent facts. The values may still be unresolved. */
export function pack(facts: { readonly [fact in keyof typeof NAMES]?: unknown }): Properties {
  const names = Object.keys(facts) as (keyof typeof NAMES)[];
  const packed = names.filter((name) => !isAbsent(facts[name]));
  return Object.fromEntries(packed.map((name) => [NAMES[name], facts[name]]));
}

export interface Unpacked<V extends Properties = Properties> {
  readonly facts: Facts;
  readonly values: V;
  readonly packed: Properties;
  readonly secretSettings: readonly string[];
  /** Whether the properties belong to a resource of the dynamic form. */
  readonly isDynamic: boolean;
}

export function unpack<V extends Properties>(properties: V): Unpacked<V> {
  const [packed, values]: [Properties, Properties] = [{}, {}];
  for (const [name, value] of Object.entries(properties)) (PACKED.has(name) ? packed : values)[name] = value;
  const secretSettings = textsIn(packed[NAMES.secretSettings]);
  const isDynamic = Object.hasOwn(packed, NAMES.provider);
  return { facts: factsIn(packed), values: values as V, packed, secretSettings, isDynamic };
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function factsIn(packed: Properties): Facts {
  const fact = (name: keyof Facts): unknown => packed[NAMES[name]];
  const [urn, deleteBeforeReplace] = [fact("urn"), fact("deleteBeforeReplace")];
  return {
    urn: typeof urn === "string" ? urn : "",
    secretPaths: textsIn(fact("secretPaths")),
    timeouts: propertiesIn(fact("timeouts")),
    retained: fact("retained") === true,
    deleteBeforeReplace: typeof deleteBeforeReplace === "boolean" ? deleteBeforeReplace : undefined,
    readOnly: fact("readOnly") === true,
    ofDeployment: fact("ofDeployment") === true,
  };
}
