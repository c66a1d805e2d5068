/** `check`: tests a deployment's arguments, alone and in combination, against the rules. Computes the generations. */

import { type Change, changesBetween, managesRevision, touchesRevision } from "../diff/changes";
import { rowsUnder } from "../profiles/profile";
import { PROFILES, type Profile } from "../profiles/profiles";
import { ARGUMENTS, deletionFaults, type Fault, faultsIn, type Hidden } from "../schema/check";
import { sameValue } from "../schema/compare";
import { deploymentRows } from "../schema/deployment";
import type { Arguments, Inputs, State } from "../schema/recorded";
import {
  hasUnknown,
  isAbsent,
  isProperties,
  normalizedRows,
  propertiesIn,
  rowsIn,
  UNKNOWN,
  valueAt,
  withValueAt,
} from "../schema/value";
import { verificationFaults } from "../verification/verification";
import { owesRevision } from "./record";
import { type Purpose, sourceFaults } from "./sourceRules";
import { variableFaults, withAltered } from "./variables";

/** Inputs that `check` adds to the arguments. */
export const COMPUTED: readonly string[] = ["revisionGeneration", "secretGenerations"];

export function argumentsOf(settings: Arguments): Arguments {
  return rowsIn(deploymentRows, settings);
}

export const isInput = (name: string): boolean =>
  Object.hasOwn(deploymentRows, name) || COMPUTED.includes(name);

export const inputsIn = (state: State): Inputs =>
  Object.fromEntries(Object.entries(state).filter(([name]) => isInput(name)));

/** The start of the error message for a forbidden revision; undefined if new revisions are allowed. */
export function forbiddenBy(inputs: Inputs, configured: "allow" | "forbid"): string | undefined {
  if (inputs.newRevisions === "forbid") return 'its argument newRevisions is "forbid"';
  return configured === "forbid" ? `the configuration's newRevisions is "forbid"` : undefined;
}

/** All faults under the profile's rules. Faults in single arguments come before faults in combinations. */
export function faultsOf(
  args: Arguments,
  profile: Profile,
  hidden: Hidden,
  purpose: Purpose,
  recorded?: State,
): Fault[] {
  const lacking = lackFaults(args, profile);
  const isLacking = ({ path }: Fault) =>
    lacking.some((lack) => lack.path.every((name, at) => path[at] === name));
  const single = faultsIn(rowsUnder(deploymentRows, profile), args, hidden, ARGUMENTS, profile.values).filter(
    (each) => !isLacking(each),
  );
  const faults = [...lacking, ...single];
  // Without this return, a rule could report a misspelled argument as missing.
  if (faults.some(({ misnamed }) => misnamed)) return faults;
  const valid = withoutFaulty(args, faults);
  return [
    ...faults,
    ...sourceFaults(valid, profile, purpose, recorded),
    ...variableFaults(valid),
    ...triggerFaults(valid),
    ...deletionFaults(valid, profile.capabilities.deleteDeployment, profile.name),
    ...restoreFaults(valid),
    ...boundFaults(valid, profile, hidden),
    ...verificationFaults(valueAt(valid, VERIFY)).map(({ path, words }) => ({
      path: [...VERIFY, ...path],
      words,
    })),
  ];
}

/** Replaces each faulty value with an unknown value, so that no rule checks the faulty value. */
function withoutFaulty(args: Arguments, faults: readonly Fault[]): Arguments {
  return faults.reduce((checkable, { path }) => {
    const end = path.findIndex((_, at) => at > 0 && !isProperties(valueAt(checkable, path.slice(0, at))));
    return withValueAt(checkable, end === -1 ? path : path.slice(0, end), UNKNOWN);
  }, args);
}

const VERIFY = ["rollout", "verify"];

function lackFaults(args: Arguments, { name, lacks }: Profile): Fault[] {
  return lacks
    .filter((place) => valueAt(args, place.split(".")) !== undefined)
    .map((place) => {
      const suitable = Object.values(PROFILES).filter((profile) => !profile.lacks.includes(place));
      const words = `is not a field of the service of profile "${name}"; profiles that have it: ${suitable.map((profile) => profile.name).join(", ")}`;
      return { path: place.split("."), words };
    });
}

function triggerFaults(args: Arguments): Fault[] {
  if (isAbsent(args.revisionTriggers) || managesRevision(args)) return [];
  const words =
    "force a new revision by sending the fields of sourceRevisionConfig again, but none is set; set at least one";
  return [{ path: ["revisionTriggers"], words }];
}

function restoreFaults({ rollout }: Arguments): Fault[] {
  const { wait, onFailure } = propertiesIn(rollout);
  if (wait !== false || onFailure !== "restore") return [];
  const words = 'got "restore", but with wait: false no update sees the failure. Take one of them out';
  return [{ path: ["rollout", "onFailure"], words }];
}

function boundFaults(args: Arguments, profile: Profile, hidden: Hidden): Fault[] {
  return Object.entries(profile.bounds).flatMap(([place, { minimum, maximum, decimals }]) => {
    const path = place.split(".");
    const value = valueAt(args, path);
    if (typeof value !== "number") return [];
    if (value >= minimum && value <= maximum && Number(value.toFixed(decimals)) === value) return [];
    const shownValue = hidden(place) ? "a number (secret, so not shown)" : value;
    const bounds = `a number from ${minimum} to ${maximum} with at most ${decimals} decimal place${decimals === 1 ? "" : "s"}`;
    return [{ path, words: `got ${shownValue}; allowed: ${bounds} (profile "${profile.name}")` }];
  });
}

/** The changes from the recorded arguments to the new inputs. The inputs must be in normal form. */
export function changesOf(before: Arguments, inputs: Inputs, profile: Profile): Change[] {
  const recorded = withAltered(before);
  // Most deployments in a fleet are unchanged. This check takes a fifth of the time of a full comparison.
  if (Object.keys(deploymentRows).every((name) => sameValue(recorded[name], inputs[name]))) return [];
  const [from, to] = [recorded, inputs].map((args) => normalizedRows(deploymentRows, argumentsOf(args)));
  return changesBetween(deploymentRows, from as Arguments, to as Arguments, profile);
}

/** The inputs that the engine records: the arguments in normal form, with the generations. */
export function inputsFrom(recorded: State | undefined, args: Arguments, profile: Profile): Inputs {
  const normal = normalizedRows(deploymentRows, argumentsOf(args));
  const changes = recorded === undefined ? [] : changesOf(recorded, normal, profile);
  const generations = secretGenerations(recorded, normal.secrets);
  return {
    ...normal,
    revisionGeneration: revisionGeneration(recorded, changes),
    ...(generations === undefined ? {} : { secretGenerations: generations }),
  };
}

/**
 * The revision generation. It is 1 at creation and 0 after an import, and rises by 1 with each change that makes, or
 * may make, a revision. Older engines pass only the inputs as `recorded`. If `recorded` is a full state, the generation
 * also rises when an update resumes or remakes a revision. The generation is unknown if all changes that may make a
 * revision have unknown values. The generation is a counter, because a hash of the arguments would leak secrets.
 */
function revisionGeneration(recorded: State | undefined, changes: readonly Change[]): number | string {
  if (recorded === undefined) return 1;
  const generation = wholeNumber(recorded.revisionGeneration) ?? 0;
  const deciding = changes.filter((change) => touchesRevision(change) || change.effect === "replace");
  if (owesRevision(recorded) || deciding.some((change) => !change.unknown)) return generation + 1;
  return deciding.length > 0 ? UNKNOWN : generation;
}

/** One counter per secret, so that the plan shows which secrets are added, changed or removed. */
function secretGenerations(
  recorded: State | undefined,
  secrets: unknown,
): { [name: string]: number | string } | string | undefined {
  if (secrets === UNKNOWN) return UNKNOWN;
  if (!isProperties(secrets)) return undefined;
  const before = propertiesIn(recorded?.secrets);
  const counted = propertiesIn(recorded?.secretGenerations);
  const generationOf = (name: string, value: unknown): number | string => {
    const generation = wholeNumber(valueAt(counted, [name])) ?? (Object.hasOwn(before, name) ? 1 : 0);
    if (hasUnknown(value)) return UNKNOWN;
    return valueAt(before, [name]) === value ? generation : generation + 1;
  };
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, generationOf(name, value)]),
  );
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
