/** A deployment as the service returns it, under the names that programs use. */

import type { Profile } from "../profiles/profiles";
import { deploymentOutputRows, deploymentRows, sourceConfigRows } from "../schema/deployment";
import type { Arguments, State } from "../schema/recorded";
import { SPEC } from "../schema/resourceSpec";
import { isProperties, type Properties, propertiesIn, valueAt } from "../schema/value";
import { everyRowFromWire, rowsFromWire, wireName } from "../schema/wire";

export interface Live {
  readonly profile: Profile;
  /** The arguments in the answer, without the variables. */
  readonly args: Arguments;
  /** Every output. An output that the service does not report is null. */
  readonly outputs: State;
  /** The variables that the service lists. A value may be null or masked. */
  readonly listed: Properties;
  /** The variables whose values the service shows unmasked. */
  readonly shown: Properties;
  readonly spec: Properties;
  readonly branch: string | undefined;
}

/** Throws if the answer cannot be read. */
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

/** Drops `refs/heads/` from the name of a branch. */
export const branchName = (ref: string): string => ref.replace(/^refs\/heads\//, "");

function branchIn(resource: Properties): string | undefined {
  const branch = valueAt(resource, ["source_config", "repo_branch"]);
  return typeof branch === "string" && branch !== "" ? branchName(branch) : undefined;
}

export const placeOf = (profile: Profile): [section: string, name: string] => [
  wireName(deploymentRows.sourceConfig, "sourceConfig", profile),
  wireName(sourceConfigRows.resourceSpec, SPEC, profile),
];

export const specIn = (body: Properties, profile: Profile): Properties =>
  propertiesIn(valueAt(body, placeOf(profile)));

const listRow = { secrets: deploymentRows.secrets };

/** The variables that the service lists. A value may be null or masked. */
export function listedIn(resource: Properties, profile: Profile): Properties {
  return propertiesIn(rowsFromWire(listRow, resource, profile).secrets);
}

/** Whether the service has exactly these variables, as far as the service shows them. `values`: the known values. */
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

/** The variables' unmasked values, by name. Empty unless the profile says that the service shows values. */
export const shownIn = (resource: Properties, profile: Profile): Properties =>
  withoutMasks(listedIn(resource, profile), profile);

function withoutMasks(listed: Properties, { capabilities }: Profile): Properties {
  if (!capabilities.showsSecretValues) return {};
  const entries = Object.entries(listed).filter(([, value]) => typeof value === "string");
  const isOneMask = entries.length > 1 && new Set(entries.map(([, value]) => value)).size === 1;
  return isOneMask ? {} : Object.fromEntries(entries.filter(([, value]) => !MASK.test(value as string)));
}

/** Ignores leading and trailing spaces, because a service may trim them. */
export const sameVariable = (live: unknown, value: unknown): boolean =>
  `${live}`.trim() === `${value}`.trim();

/** The program's plain variables with the service's values. A value that the service hides counts as unchanged. */
export function liveEnvironment({ environment }: Arguments, { listed, shown }: Live): unknown {
  if (!isProperties(environment)) return environment;
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

/** Whether the body has a resource spec that replaces the whole spec on the service. */
export const replacesSpec = (body: Properties, profile: Profile): boolean =>
  profile.capabilities.resourceSpecOverwrites && isProperties(valueAt(body, placeOf(profile)));
