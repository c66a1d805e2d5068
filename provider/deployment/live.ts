/** A deployment as the service answers it, in the program's names. Its variables are one list on the wire. */
import { deploymentOutputRows, deploymentRows, sourceConfigRows } from "../fields/deployment";
import { SPEC } from "../fields/resourceSpec";
import { isProperties, type Properties, propertiesIn, valueAt } from "../fields/value";
import { everyRowFromWire, rowsFromWire, wireName } from "../fields/wire";
import type { Profile } from "../profiles/profiles";

export interface Live {
  readonly profile: Profile;
  /** The arguments that the answer shows, without the variables. */
  readonly args: Properties;
  /** Every output, null if the service reports nothing. */
  readonly outputs: Properties;
  /** The variables that the service names. Their values may be null or masked. */
  readonly listed: Properties;
  /** The values of variables that the service shows. */
  readonly shown: Properties;
  /** The resource spec, in the names of the wire. */
  readonly spec: Properties;
}

/** Decodes an answer. Throws if it cannot be read. */
export function liveIn(resource: Properties, profile: Profile): Live {
  const { secrets, ...args } = rowsFromWire(deploymentRows, resource, profile);
  const listed = propertiesIn(secrets);
  return {
    profile,
    args,
    outputs: everyRowFromWire(deploymentOutputRows, resource, profile),
    listed,
    shown: withoutMasks(listed, profile),
    spec: specIn(resource, profile),
  };
}

/** The resource spec's place in a body or an answer. */
export const placeOf = (profile: Profile): [section: string, name: string] => [
  wireName(deploymentRows.sourceConfig, "sourceConfig", profile),
  wireName(sourceConfigRows.resourceSpec, SPEC, profile),
];

/** The resource spec in a body or an answer, in the names of the wire. */
export const specIn = (body: Properties, profile: Profile): Properties =>
  propertiesIn(valueAt(body, placeOf(profile)));

const listRow = { secrets: deploymentRows.secrets };

/** The variables that the service names. Their values may be null or masked. */
export function listedIn(resource: Properties, profile: Profile): Properties {
  return propertiesIn(rowsFromWire(listRow, resource, profile).secrets);
}

/** A masked value: blank, with asterisks, bullets or an ellipsis, one character repeated, or words in brackets. */
const MASK = /^\s*$|\*{3,}|[•●∙…]|^(.)\1{2,}$|^[[<(][\w -]+[\])>]$/su;

/** The values that the service shows, by name, without masks; none unless the profile says that it shows values. */
export const shownIn = (resource: Properties, profile: Profile): Properties =>
  withoutMasks(listedIn(resource, profile), profile);

function withoutMasks(listed: Properties, { capabilities }: Profile): Properties {
  if (!capabilities.showsSecretValues) return {};
  const entries = Object.entries(listed).filter(([, value]) => typeof value === "string");
  const isOneMask = entries.length > 1 && new Set(entries.map(([, value]) => value)).size === 1;
  return isOneMask ? {} : Object.fromEntries(entries.filter(([, value]) => !MASK.test(value as string)));
}

/** The program's plain variables with the service's values. A value that is not shown counts as unchanged. */
export function liveEnvironment({ environment }: Properties, { listed, shown }: Live): unknown {
  if (!isProperties(environment)) return environment;
  // A service that names none hides them.
  if (Object.keys(listed).length === 0) return environment;
  const entries = Object.entries(environment).filter(([name]) => Object.hasOwn(listed, name));
  return Object.fromEntries(entries.map(([name, value]) => [name, valueAt(shown, [name]) ?? value]));
}

/** The names of the recorded secrets that have another value on the service. */
export function alteredSecrets({ secrets }: Properties, { shown }: Live): string[] {
  return Object.entries(propertiesIn(secrets)).flatMap(([name, value]) =>
    Object.hasOwn(shown, name) && `${shown[name]}`.trim() !== `${value}`.trim() ? [name] : [],
  );
}
