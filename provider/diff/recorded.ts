/** The plan as data, for readers of `preview --json`. The plan never contains a hidden value. */
import type { ProfileInUse } from "../profiles/profiles";
import type { Hidden } from "../schema/check";
import { sameValue } from "../schema/compare";
import { redacted } from "../schema/secrecy";
import { isAbsent, isProperties, UNKNOWN } from "../schema/value";
import type { Change, Effect, Verdict } from "./changes";

export const SECRET = "[secret]";
export const UNKNOWN_VALUE = "[unknown]";

export interface RecordedChange {
  readonly path: string;
  readonly effect: Effect;
  /** Absent if the argument was not set. */
  readonly before?: unknown;
  /** Absent if the argument is no longer set. */
  readonly after?: unknown;
  /** Set if the values are hidden. Each value is then `[secret]`. */
  readonly hidden?: true;
  /** Set if only the apply shows whether the value changes. */
  readonly unknown?: true;
  /** Set if a variable moves between `secrets` and `environment` with its value. The move sends nothing. */
  readonly moves?: true;
}

/** `create`: a creation that takes over nothing. */
export type PlannedVerdict = Verdict | "create";

export interface CheckedPlan {
  readonly verdict: PlannedVerdict;
  /** The id of the existing resource that a creation takes over; `[unknown]` while the id is unknown. */
  readonly adopts?: string | undefined;
  readonly changes: readonly Change[];
}

/** The plan for a creation that takes over nothing. */
export const CREATES: CheckedPlan = { verdict: "create", changes: [] };

/** The plan that a refresh records. The engine passes the recorded plan only to `check`. */
export const UNCHANGED: CheckedPlan = { verdict: "unchanged", changes: [] };

export interface RecordedPlan extends Omit<CheckedPlan, "changes"> {
  readonly version: 1;
  /** Counts the resource's recorded plans, so that two equal plans in a row differ. */
  readonly number: number;
  readonly profile: ProfileInUse;
  /** The base URL of the service. */
  readonly service: string;
  /** The changes of an update or a replacement. Empty for a creation, whose inputs are all new. */
  readonly changes: readonly RecordedChange[];
}

/** A plan without changes repeats the recorded plan, because the engine writes the state for every changed input. */
export function recordedPlan(
  { verdict, adopts, changes }: CheckedPlan,
  where: Pick<RecordedPlan, "profile" | "service">,
  earlier: RecordedPlan | undefined,
  hidden: Hidden,
): RecordedPlan {
  const isSettled =
    earlier !== undefined &&
    earlier.service === where.service &&
    sameValue(earlier.profile, where.profile) &&
    verdict === "unchanged";
  if (isSettled) return earlier;
  return {
    version: 1,
    number: (earlier?.number ?? 0) + 1,
    ...where,
    verdict,
    ...(adopts === undefined ? {} : { adopts }),
    changes: changes.map((change) => recordedChange(change, hidden)),
  };
}

function recordedChange(
  { path, effect, before, after, unknown, moves }: Change,
  hidden: Hidden,
): RecordedChange {
  const isHidden = hidden(path) || [before, after].some((value) => typeof value === "symbol");
  const visible = (value: unknown) => (isHidden && value !== UNKNOWN ? SECRET : shownValue(value));
  return {
    path,
    effect,
    ...(isAbsent(before) ? {} : { before: visible(before) }),
    ...(isAbsent(after) ? {} : { after: visible(after) }),
    ...(isHidden ? { hidden: true } : {}),
    ...(unknown ? { unknown: true } : {}),
    ...(moves ? { moves: true } : {}),
  };
}

/** The value with every known secret masked, and with `[unknown]` in place of each unknown value. */
export function shownValue(value: unknown): unknown {
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  if (typeof value === "string") return redacted(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isProperties(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redacted(name), shownValue(member)]),
  );
}
