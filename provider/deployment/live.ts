/**
 * A deployment as the service returns it, but with the names that programs use. Includes the parts that the program
 * does not manage. On the wire, all variables are one list.
 */

import type { Profile } from "../profiles/profiles";
import { deploymentOutputRows, deploymentRows, sourceConfigRows } from "../schema/deployment";
import type { Arguments, State } from "../schema/recorded";
import { SPEC } from "../schema/resourceSpec";
import { isProperties, type Properties, propertiesIn, valueAt } from "../schema/value";
import { everyRowFromWire, rowsFromWire, wireName } from "../schema/wire";

export interface Live {
  readonly profile: Profile;
  /** The arguments that the answer shows, without the variables. */
  readonly args: Arguments;
  /** Every output; null if the service does not report it. */
  readonly outputs: State;
  /** The variables that the service names; a variable's value may be null or masked. */
  readonly listed: Properties;
  /** The values that the service shows for variables, except masked values. */
  readonly shown: Properties;
  /** The resource spec, under its wire names. */
  readonly spec: Properties;
  /** The branch that the service builds; undefined if the service names none. */
  readonly branch: string | undefined;
}

/** Decodes an answer. Throws if the answer cannot be read. */
export function liveIn(resource: Properties, profile: Profile): Live {
  const branch = branchIn(resource);
  const { secrets, ...args } = rowsFromWire(deploymentRows, resource, profile);
  const listed = propertiesIn(secrets);
  return {
    profile,
    args,
    outputs: everyRowFromWire(deploymentOutputRows, resource, profile),
    listed,
    shown: withoutMasks(listed, profile),
    spec: specIn(resource, profile),
    branch,
  };
}

/** The branch's plain name. `ref`: the plain name, or the name after `refs/heads/`. */
export const branchName = (ref: string): string => ref.replace(/^refs\/heads\//, "");

function branchIn(resource: Properties): string | undefined {
  const branch = valueAt(resource, ["source_config", "repo_branch"]);
  return typeof branch === "string" && branch !== "" ? branchName(branch) : undefined;
}

/** The resource spec's place in a body or an answer. */
export const placeOf = (profile: Profile): [section: string, name: string] => [
  wireName(deploymentRows.sourceConfig, "sourceConfig", profile),
  wireName(sourceConfigRows.resourceSpec, SPEC, profile),
];

/** The resource spec in a body or an answer, under its wire names. */
export const specIn = (body: Properties, profile: Profile): Properties =>
  propertiesIn(valueAt(body, placeOf(profile)));

const listRow = { secrets: deploymentRows.secrets };

/** The variables that the service names; a variable's value may be null or masked. */
export function listedIn(resource: Properties, profile: Profile): Properties {
  return propertiesIn(rowsFromWire(listRow, resource, profile).secrets);
}

/**
 * Whether the service has exactly these variables, as far as it shows them. If it names no variables, it hides them,
 * which counts as a match. `values`: the known values.
 */
export function hasVariables(
  resource: Properties,
  names: readonly string[],
  values: Properties,
  profile: Profile,
): boolean {
  const listed = listedIn(resource, profile);
  const listedNames = Object.keys(listed).sort();
  const hasNames = listedNames.length === 0 || listedNames.join("\n") === [...names].sort().join("\n");
  const shownValues = Object.entries(withoutMasks(listed, profile));
  return (
    hasNames &&
    shownValues.every(([name, value]) => !Object.hasOwn(values, name) || sameVariable(value, values[name]))
  );
}

/** A masked value: blank, words in brackets, one repeated character, or text with asterisks, bullets or an ellipsis. */
const MASK = /^\s*$|\*{3,}|[•●∙…]|^(.)\1{2,}$|^[[<(][\w -]+[\])>]$/su;

/** The unmasked values of the service, by name; none unless the profile says that the service shows values. */
export const shownIn = (resource: Properties, profile: Profile): Properties =>
  withoutMasks(listedIn(resource, profile), profile);

function withoutMasks(listed: Properties, { capabilities }: Profile): Properties {
  if (!capabilities.showsSecretValues) return {};
  const entries = Object.entries(listed).filter(([, value]) => typeof value === "string");
  const isOneMask = entries.length > 1 && new Set(entries.map(([, value]) => value)).size === 1;
  return isOneMask ? {} : Object.fromEntries(entries.filter(([, value]) => !MASK.test(value as string)));
}

/** Whether two values of a variable are the same, apart from outer spaces, which a service may trim. */
const sameVariable = (live: unknown, value: unknown): boolean => `${live}`.trim() === `${value}`.trim();

/** The program's plain variables with the service's values. A value that the service hides counts as unchanged. */
export function liveEnvironment({ environment }: Arguments, { listed, shown }: Live): unknown {
  if (!isProperties(environment)) return environment;
  // If the service names no variables, it hides them.
  if (Object.keys(listed).length === 0) return environment;
  const entries = Object.entries(environment).filter(([name]) => Object.hasOwn(listed, name));
  const liveValue = (name: string, value: unknown) => {
    const shownValue = valueAt(shown, [name]) ?? value;
    return sameVariable(shownValue, value) ? value : shownValue;
  };
  return Object.fromEntries(entries.map(([name, value]) => [name, liveValue(name, value)]));
}

/** The names of the recorded secrets whose values differ on the service. */
export function alteredSecrets({ secrets }: Arguments, { shown }: Live): string[] {
  return Object.entries(propertiesIn(secrets)).flatMap(([name, value]) =>
    typeof value === "string" && Object.hasOwn(shown, name) && !sameVariable(shown[name], value)
      ? [name]
      : [],
  );
}

/** Whether the body has a resource spec, and the service replaces the whole spec. */
export const replacesSpec = (body: Properties, profile: Profile): boolean =>
  profile.capabilities.resourceSpecOverwrites && isProperties(valueAt(body, placeOf(profile)));
