/**
 * Variables: `secrets` and `environment` are two maps in a program and one list on the wire. A PATCH sends the whole
 * list, and therefore removes foreign variables, which the service has and the program does not set.
 */

import { type Change, classAt, managesRevision } from "../diff/changes";
import { ALTERED, FOREIGN } from "../diff/describe";
import { REMOVES_FOREIGN } from "../diff/sentences";
import type { Profile } from "../profiles/profiles";
import type { Fault } from "../schema/check";
import { deploymentRows } from "../schema/deployment";
import type { Arguments, Inputs, State } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { isProperties, type Properties, propertiesIn, UNKNOWN, valueAt } from "../schema/value";
import type { Live } from "./live";

/** All variables of the program, by name; undefined if the program manages none. */
export function variablesOf({ secrets, environment }: Arguments): Properties | undefined {
  return isProperties(secrets) || isProperties(environment)
    ? { ...propertiesIn(environment), ...propertiesIn(secrets) }
    : undefined;
}

const isVariable = (path: string): boolean => /^(secrets|environment)(\.|$)/.test(path);

/** Faults for names that occur in two maps. The service has only one entry for each name. */
export function variableFaults(args: Arguments): Fault[] {
  const pairs = [
    ["environment", "secrets"],
    ["environment", "secretReferences"],
    ["secrets", "secretReferences"],
  ] as const;
  return pairs.flatMap(([map, otherMap]) =>
    Object.keys(propertiesIn(args[map]))
      .filter((name) => Object.hasOwn(propertiesIn(args[otherMap]), name))
      .map((name) => ({ path: [map, name], words: `is in ${otherMap} too. Take it out of one of them` })),
  );
}

/** Adds a placeholder for each secret whose value a refresh dropped because the service has a different value. */
export function withAltered<T extends Arguments>(recorded: T): T {
  const { secretGenerations, uncertainSince } = recorded;
  // After an update in doubt, the service's values are unknown.
  if (uncertainSince !== undefined) return recorded;
  const secrets = propertiesIn(recorded.secrets);
  const names = Object.keys(propertiesIn(secretGenerations)).filter((name) => !Object.hasOwn(secrets, name));
  if (names.length === 0) return recorded;
  const altered = Object.fromEntries(names.map((name) => [name, ALTERED]));
  return { ...recorded, secrets: { ...altered, ...secrets } };
}

/** The recorded names of foreign variables. */
export function foreignNames({ observed }: State): string[] {
  const names = valueAt(observed, ["secrets"]);
  return Array.isArray(names) ? names.map(String) : [];
}

/** Whether the planned update sends variables. An update that sends variables always sends the whole list. */
export function sendsSecrets({ changes, rollout, inputs }: PlannedChanges): boolean {
  const isRemadeByThem = rollout === "remake" && !managesRevision(inputs);
  return (
    isRemadeByThem ||
    changes.some(({ path, effect, moves }) => effect !== "kept" && !moves && isVariable(path))
  );
}

interface PlannedChanges {
  readonly changes: readonly Change[];
  readonly rollout: string;
  readonly inputs: Inputs;
}

/** The recorded foreign variables that an update removes if it sends the program's variables. */
export function foreignChanges(state: State, inputs: Inputs, profile: Profile): Change[] {
  const isUnknown = [inputs.secrets, inputs.environment].includes(UNKNOWN);
  const variables = variablesOf(inputs) ?? {};
  return foreignNames(state)
    .filter((name) => !Object.hasOwn(variables, name))
    .map((name) => ({
      path: `secrets.${name}`,
      effect: classAt("secrets", deploymentRows.secrets, profile),
      before: FOREIGN,
      after: isUnknown ? UNKNOWN : undefined,
      unknown: isUnknown,
    }));
}

/** The names of the foreign variables that the changes certainly remove. */
export function foreignLosses(changes: readonly Change[]): string[] {
  return lossesIn(changes.filter(({ unknown }) => !unknown));
}

const lossesIn = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ path, before }) => (before === FOREIGN ? [path.slice("secrets.".length)] : []));

const KEEPING_ONE = "keep one, set it in secrets or environment";

/** A warning that names the foreign variables that the changes remove; undefined if there are none. */
export function lossWords(changes: readonly Change[]): string | undefined {
  const names = lossesIn(changes);
  return names.length === 0 ? undefined : `${REMOVES_FOREIGN}: ${joined(names)}. To ${KEEPING_ONE}`;
}

/** The variables that the service has, but that no argument set in `args` declares. */
export function undeclaredVariables(args: readonly Arguments[], { listed }: Live): string[] {
  const declared = args.map((each) => ({ ...propertiesIn(each.secretGenerations), ...variablesOf(each) }));
  return Object.keys(listed).filter((name) => !declared.some((each) => Object.hasOwn(each, name)));
}

/** The names that the service no longer lists; empty if the service lists no variables, because it then hides them. */
export function goneFrom(names: readonly string[], { listed }: Live): string[] {
  return Object.keys(listed).length === 0 ? [] : names.filter((name) => !Object.hasOwn(listed, name));
}

/** A refresh's warning about foreign variables; undefined if there are none or the program sends no variables. */
export function foreignWords(state: State): string | undefined {
  const names = foreignNames(state);
  return names.length === 0 || variablesOf(state) === undefined
    ? undefined
    : `the service has secrets that the program does not set: ${joined(names)}. The next change of its secrets removes them; to ${KEEPING_ONE}`;
}

const joined = (names: readonly string[]): string => names.map(printable).join(", ");
