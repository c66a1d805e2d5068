/** The arguments that describe a deployment as it is live, and what of it no program can or should give. */
import { faultsOf } from "../../../provider/deployment/arguments";
import { withValueAt } from "../../../provider/fields/compare";
import { deploymentRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import {
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  sameValue,
  valueAt,
} from "../../../provider/fields/value";
import { everyArgumentFromWire } from "../../../provider/fields/wire";
import type { Profile } from "../../../provider/profiles/profiles";
import type { Live } from "../read/account";
import type { LeftOut } from "./leftOut";
import { strangersIn } from "./strangers";
import { type RefusesKey, unwritable, unwritableKey } from "./unwritable";

export interface Described {
  /** As the program gives them, without those of adoption. */
  readonly args: Properties;
  readonly leftOut: readonly LeftOut[];
  /** Names alone: the service does not show the values. */
  readonly secretNames: readonly string[];
}

/** Why no program of this version can have it. */
export interface Indescribable {
  readonly why: string;
}

/** What the adoption itself adds. */
export const adopting = (id: string) => ({ adopt: id, onDestroy: "retain" }) as const;

interface Means {
  readonly profile: Profile;
  readonly refusesKey: RefusesKey;
  readonly leaveOut: LeaveOut;
}
type Step = (args: Properties, means: Means) => Properties;
type LeaveOut = (path: readonly string[], why: string) => void;

/** Each takes something away that the program must not give. */
const STEPS: readonly Step[] = [withoutUnwritable, withoutRefused, withoutDefaults];

/** `refusesKey`: of the language in which it is written. */
export function describe(
  { id, values, wire }: Live,
  profile: Profile,
  refusesKey: RefusesKey = () => undefined,
): Described | Indescribable {
  const leftOut: LeftOut[] = [];
  const leaveOut: LeaveOut = (path, why) => leftOut.push({ path: path.join("."), why });
  const live = normalizedRows(deploymentRows, everyArgumentFromWire(deploymentRows, wire, profile));
  const args = STEPS.reduce<Properties>(
    (left, step) => normalizedRows(deploymentRows, step(left, { profile, refusesKey, leaveOut })),
    { ...live, ...adopting(id) },
  );
  const missing = (["name", "source"] as const).find((name) => isAbsent(args[name]));
  if (missing !== undefined) return { why: whyMissing(missing, leftOut) };
  for (const { path, why } of strangersIn(wire, profile)) leftOut.push({ path, why });
  const { adopt: _adopt, onDestroy: _onDestroy, ...described } = args;
  return {
    args: described,
    leftOut,
    secretNames: Object.keys(isProperties(values.secrets) ? values.secrets : {}).sort(),
  };
}

function whyMissing(name: string, leftOut: readonly LeftOut[]): string {
  const why = leftOut.find(({ path }) => path === name)?.why;
  return why === undefined ? `the service shows no ${name}` : `its ${name}: ${why}`;
}

/** What Pulumi or a language cannot hand over as it is. */
function withoutUnwritable(args: Properties, { refusesKey, leaveOut }: Means): Properties {
  return places(deploymentRows, args).reduce((left, path) => {
    const why =
      unwritableKey(path.at(-1) as string, refusesKey) ?? unwritable(valueAt(args, path), refusesKey);
    if (why === undefined) return left;
    leaveOut(path, why);
    return withValueAt(left, path, undefined) as Properties;
  }, args);
}

/** What the service itself would give. It is compared with what is live, so that one default may rest on another. */
function withoutDefaults(args: Properties, { profile: { defaults }, leaveOut }: Means): Properties {
  return Object.entries(defaults).reduce((left, [place, { from, times }]) => {
    const path = place.split(".");
    const [value, other] = [valueAt(args, path), valueAt(args, from.split("."))];
    if (typeof value !== "number" || typeof other !== "number" || value !== other * times) return left;
    leaveOut(path, "the default of the service");
    return withValueAt(left, path, undefined) as Properties;
  }, args);
}

/** What the provider's own check refuses: a service may show what it takes from nobody. */
function withoutRefused(args: Properties, { profile, leaveOut }: Means): Properties {
  let left = args;
  for (;;) {
    const faults = faultsOf(left, profile, () => false, "adoption");
    const next = faults.reduce((rest, { path, words }) => {
      const place = placeOf(deploymentRows, path);
      if (isAbsent(valueAt(rest, place))) return rest;
      leaveOut(place, String(words));
      return withValueAt(rest, place, undefined) as Properties;
    }, left);
    if (sameValue(next, left)) return left;
    left = normalizedRows(deploymentRows, next);
  }
}

/** The places that can be left out one by one: fields, and the entries of maps. */
function places(rows: Rows, values: Properties, within: readonly string[] = []): (readonly string[])[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [path, kind] = [[...within, name], rows[name]?.kind];
    if (kind?.type === "object" && isProperties(value)) return places(kind.rows, value, path);
    if (kind?.type === "map" && isProperties(value)) return Object.keys(value).map((key) => [...path, key]);
    return [path];
  });
}

/** The place that can be left out for a path that may lead deeper: a list is taken over as a whole or not at all. */
function placeOf(rows: Rows, path: readonly string[]): readonly string[] {
  let kind: Kind<unknown> = { type: "object", rows };
  for (const [depth, name] of path.entries()) {
    if (kind.type === "map") return path.slice(0, depth + 1);
    if (kind.type !== "object") return path.slice(0, depth);
    kind = kind.rows[name]?.kind ?? { type: "json" };
  }
  return path;
}
