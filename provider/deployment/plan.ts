/** The plan for an update. `diff` and `update` call the same function, so the apply does what the plan says. */

import type { Call } from "../call";
import {
  type Change,
  managesRevision,
  mayRevise,
  profileFor,
  unlessReplaced,
  type Verdict,
  verdictOf,
} from "../diff/changes";
import {
  ALTERED,
  describeReplacement,
  describeRevising,
  describeVerdict,
  revisionOwed,
  shown,
} from "../diff/describe";
import { format } from "../diff/sentences";
import type { Profile } from "../profiles/profiles";
import type { Hidden } from "../schema/check";
import type { Inputs, State } from "../schema/recorded";
import { SPEC } from "../schema/resourceSpec";
import { printable } from "../schema/secrecy";
import { isAbsent, type Properties } from "../schema/value";
import { changesOf, forbiddenBy } from "./arguments";
import { unmanagedNote } from "./observed";
import { hasFailed, isDoubtful, isUnfinished, verificationChanged } from "./record";
import { foreignChanges, sendsSecrets, variablesOf } from "./variables";

export type DestroyPolicy = "retain" | "delete" | "fail";

/** The last apply's unfinished work: await the revision, remake it, or find out whether the update arrived. */
type WorkLeft = "done" | "resume" | "remake" | "doubt";

export interface Plan {
  /**
   * The recorded state. For an adoption, the state that the deployment would have if the program already managed it.
   */
  readonly state: State;
  readonly inputs: Inputs;
  readonly profile: Profile;
  readonly changes: readonly Change[];
  /** The verdict follows from the changes and from any unfinished or failed rollout. */
  readonly verdict: Verdict;
  readonly rollout: WorkLeft;
  /** Top-level arguments that cause a replacement. */
  readonly replaces: readonly string[];
  /** The `onDestroy` that applies to the old deployment. */
  readonly onDestroy: DestroyPolicy;
  /** Whether a replacement collides with the old deployment's name; "perhaps" if an unknown value decides this. */
  readonly nameCollision: "yes" | "perhaps" | "no";
  /** Whether a replacement deletes the old deployment first. */
  readonly deletesFirst: boolean;
  /** The recorded unmanaged spec members that the update keeps; undefined unless the update sends the whole spec. */
  readonly unmanagedSpec: Properties | undefined;
  /** For a possible replacement: the plan that applies if the unknown values turn out to be unchanged. */
  readonly otherwise: Plan | undefined;
}

/** Facts that affect the plan but are not arguments. */
interface KnownFacts {
  /** Whether the resource's recorded options keep the engine from deleting the deployment. */
  readonly retained?: boolean;
  /** The resource's option `deleteBeforeReplace`; undefined if the option is not set. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Whether this program replaces the listener. If so, the listener's new id is unknown but certainly different. */
  readonly leaves?: (listenerId: unknown) => boolean;
  /** The profile that applies when a replaced deployment is deleted; by default, the update's profile. */
  readonly formerProfile?: () => Profile;
}

export function planCall(call: Call, state: State, inputs: Inputs, profile = call.profile): Plan {
  const { retained, deleteBeforeReplace, run } = call;
  const leaves = (listenerId: unknown): boolean => run.planned.replaces(listenerId);
  const formerProfile = () => call.formerProfile(state);
  return planUpdate(state, inputs, profile, { retained, deleteBeforeReplace, leaves, formerProfile });
}

export function planUpdate(state: State, inputs: Inputs, service: Profile, facts: KnownFacts = {}): Plan {
  const profile = profileFor(inputs, service);
  const changes = changesOf(state, inputs, profile).map((change) =>
    change.path === "sourceConfig.listenerId" && facts.leaves?.(change.before)
      ? { ...change, unknown: false }
      : change,
  );
  return planOf({ state, inputs, profile }, changes, facts);
}

function planOf(
  update: Pick<Plan, "state" | "inputs" | "profile">,
  changes: readonly Change[],
  facts: KnownFacts,
): Plan {
  const { state, inputs, profile } = update;
  const ofChanges = verdictOf(changes);
  const remaining = ofChanges === "mayReplace" ? unlessReplaced(changes) : undefined;
  const otherwise = remaining && planOf(update, remaining, facts);
  const replacing = changes.filter(({ effect }) => effect === "replace");
  const isReplacing = replacing.length > 0;
  const rollout = otherwise?.rollout ?? workLeft(state, inputs, ofChanges);
  const verdict = isReplacing ? ofChanges : verdictWith(rollout, ofChanges, inputs);
  const isRetained = facts.retained === true;
  const formerProfile = (isReplacing && !isRetained && facts.formerProfile?.()) || profile;
  const onDestroy = onDestroyOf(state, formerProfile, isRetained);
  const deletes = formerProfile.capabilities.deleteDeployment && onDestroy === "delete";
  const nameCollision = isAbsent(state.name) ? "no" : meeting(replacing);
  const unmanagedSpec = isReplacing ? undefined : keptMembers(update, changes);
  const sends = !isReplacing && sendsSecrets({ changes, rollout, inputs });
  return {
    state,
    inputs,
    profile,
    changes: sends ? [...changes, ...foreignChanges(state, inputs, profile)] : changes,
    rollout,
    replaces: [...new Set(replacing.map(({ path }) => path.split(".")[0] as string))],
    verdict,
    onDestroy,
    nameCollision,
    // Even if no change replaces the deployment, the engine may force a replacement, which keeps the name.
    deletesFirst: deletes && (facts.deleteBeforeReplace ?? (nameCollision !== "no" || !isReplacing)),
    unmanagedSpec,
    otherwise,
  };
}

/** An update awaits an unfinished revision, and remakes a failed revision unless the changes make a new one anyway. */
function workLeft(state: State, inputs: Inputs, verdict: Verdict): WorkLeft {
  if (verdict === "replace") return "done";
  if (isDoubtful(state)) return "doubt";
  if (verdict === "newRevision") return "done";
  if (!hasFailed(state)) return isUnfinished(state) ? "resume" : "done";
  const canRemake = managesRevision(inputs) || variablesOf(inputs) !== undefined;
  return canRemake && !verificationChanged(state, inputs) ? "remake" : "resume";
}

/** The verdict on the changes and on the work that the last apply left undone. */
function verdictWith(work: WorkLeft, verdict: Verdict, inputs: Inputs): Verdict {
  if (work === "remake") return managesRevision(inputs) ? "newRevision" : "mayRevise";
  return work === "doubt" ? "mayRevise" : verdict;
}

/** The `onDestroy` that applies. `retained`: whether the resource's options prevent the deletion. */
export function onDestroyOf(state: State, profile: Profile, retained: boolean): DestroyPolicy {
  const argument = state.onDestroy;
  const policy = typeof argument === "string" ? (argument as DestroyPolicy) : profile.onDestroy;
  return policy === "delete" && retained ? "retain" : policy;
}

export const isLeaving = (path: string): boolean => path === "name" || path === "connection";

/** Whether the old and the new deployment collide because both have the same name on the same service. */
function meeting(replacing: readonly Change[]): Plan["nameCollision"] {
  const leaving = replacing.filter(({ path }) => isLeaving(path));
  const staying = replacing.filter((change) => !leaving.includes(change));
  if (staying.length === 0 || leaving.some(({ unknown }) => !unknown)) return "no";
  return leaving.length === 0 && staying.some(({ unknown }) => !unknown) ? "yes" : "perhaps";
}

export function revises({ verdict }: Plan): boolean {
  return mayRevise(verdict);
}

export function hasChanges(plan: Plan): boolean {
  return plan.changes.length > 0 || plan.rollout !== "done";
}

/** The plan's line without the resource's label, such as `creates a new revision (…)`. */
export function lineOf(plan: Plan, id: string, hidden: Hidden) {
  const { changes, verdict, otherwise } = plan;
  const fate = plan.onDestroy === "delete" ? format.oldDeploymentIsDeleted({ id }) : format.oldStays({ id });
  const parts = { reasons: describeReplacement(changes, hidden), fate };
  if (otherwise !== undefined)
    return format.mayReplaceWith({ ...parts, otherwise: lineOfUpdate(otherwise, hidden) });
  return verdict === "replace" ? format.replacedWith(parts) : lineOfUpdate(plan, hidden);
}

function lineOfUpdate(plan: Plan, hidden: Hidden) {
  return withKept(effectOf(plan, hidden), plan.unmanagedSpec);
}

function effectOf({ state, changes, verdict, rollout }: Plan, hidden: Hidden) {
  const words = describeVerdict(verdictOf(changes), changes, hidden);
  if (rollout === "done") return words;
  const debt = revisionOwed(state);
  if (rollout === "resume")
    return changes.length > 0 ? format.alsoResumes({ ...debt, verdict: words }) : format.resumes(debt);
  // One new revision covers both the unfinished work and the changes.
  const reasons = describeRevising(changes, hidden, rollout === "remake" ? debt : "a look");
  return format[verdict === "newRevision" ? "newRevision" : "mayRevise"]({ reasons });
}

/** The warning about arguments that the program no longer sets but the service keeps; undefined if there are none. */
export function keptWords(plan: Plan): string | undefined {
  const keptChanges = plan.changes.filter(({ effect }) => effect === "kept");
  const paths = keptChanges.map(({ path }) => printable(path));
  return paths.length === 0
    ? undefined
    : `the service keeps what the program no longer sets: ${paths.join(", ")}`;
}

/** The plan's line, followed by the spec members that the update keeps. */
export function withKept(line: string, keptSpec: Properties | undefined): string {
  if (keptSpec === undefined) return line;
  const members = Object.entries(keptSpec).map(([name, value]) =>
    value === null ? printable(name) : `${printable(name)} ${shown(value)}`,
  );
  const memberNames = members.length === 0 ? "what else the service has" : members.join(", ");
  return format.keepsUnmanaged({ verdict: line, rest: memberNames });
}

/**
 * The recorded spec members that an update keeps. Undefined if the update sends no spec, or the service merges specs.
 */
function keptMembers(
  { state, inputs, profile }: Pick<Plan, "state" | "inputs" | "profile">,
  changes: readonly Change[],
) {
  const isSent = ({ path, effect }: Change) => effect !== "kept" && `${path}.`.startsWith(`${SPEC}.`);
  return profile.capabilities.resourceSpecOverwrites && changes.some(isSent)
    ? unmanagedNote(state, [state, inputs])
    : undefined;
}

/** Why the plan must not be carried out, worded to follow the resource's label. Undefined for an allowed plan. */
export function refusalOf(plan: Plan, configured: "allow" | "forbid", hidden: Hidden): string | undefined {
  const { changes, verdict, otherwise, onDestroy } = plan;
  const reasons = () => describeVerdict(verdict, changes, hidden);
  const replaces = verdict === "replace" || otherwise !== undefined;
  const nextPolicy = plan.inputs.onDestroy;
  if (onDestroy === "delete" && replaces && (nextPolicy === "retain" || nextPolicy === "fail"))
    return `${reasons()}, but the new onDestroy, "${nextPolicy}", protects the old one only from the next update on. Apply onDestroy first`;
  if (onDestroy === "fail" && replaces)
    return `${reasons()}, but onDestroy is "fail", which forbids it. Take the change back, or apply another onDestroy first`;
  if (otherwise !== undefined) return refusalOf(otherwise, configured, hidden);
  const lost = changes.filter(
    ({ before, after, effect, unknown }) =>
      before === ALTERED && after === undefined && effect !== "kept" && !unknown,
  );
  if (lost.length > 0 && verdict !== "replace")
    return `would remove ${lost.map(({ path }) => printable(path)).join(", ")}, whose value somebody changed on the service. Set it for one update, without ignoreChanges; then remove it`;
  if (verdict === "replace")
    return plan.nameCollision === "yes" && !plan.deletesFirst
      ? `${reasons()}, but ${meetsOldOne(plan)}`
      : undefined;
  const from = forbiddenBy(plan.inputs, configured);
  if (from === undefined || !revises(plan)) return undefined;
  return `${from}, but this update ${lineOf(plan, "", hidden)}. Take the change back, or set newRevisions to "allow" for this run`;
}

/** Why every `pulumi up` with this plan would fail, and what to do. */
function meetsOldOne({ inputs, onDestroy }: Plan): string {
  const name = printable(inputs.name);
  const start = `keeps the name "${name}": the new deployment is created first, while the old one still has the name`;
  return onDestroy === "delete"
    ? `${start}. Take the option deleteBeforeReplace away, or change name too`
    : `${start} and stays. Change name too`;
}
