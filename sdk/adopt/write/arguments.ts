/** Computes the arguments that describe a live deployment, and lists the values that a program must leave out. */
import { faultsOf } from "../../../provider/deployment/arguments";
import { listedIn, shownIn } from "../../../provider/deployment/live";
import type { Profile } from "../../../provider/profiles/profiles";
import { sameValue } from "../../../provider/schema/compare";
import { deploymentRows, isBeingDeleted } from "../../../provider/schema/deployment";
import type { Kind, Rows } from "../../../provider/schema/kind";
import type { Arguments } from "../../../provider/schema/recorded";
import {
  isAbsent,
  isProperties,
  normalizedRows,
  type Properties,
  propertiesIn,
  valueAt,
  withValueAt,
} from "../../../provider/schema/value";
import { everyArgumentFromWire } from "../../../provider/schema/wire";
import type { AccountEntry } from "../read/account";
import { type LeftOut, unknownFieldsIn, unwritable, unwritableKey } from "./leftOut";

export interface Description {
  /** The arguments, without `adopt` and `onDestroy`, which `adopting` adds. */
  readonly args: Arguments;
  readonly leftOut: readonly LeftOut[];
  /** The service's variables that the program does not declare. */
  readonly secretNames: readonly string[];
  /** Names of plain variables that have one value on the service and another in Terraform. */
  readonly overtaken: readonly string[];
}

/** The reason why no program of this version can declare the deployment. */
interface Indescribable {
  readonly why: string;
}

/** The arguments that make the program adopt the deployment and never delete it. */
export const adopting = (id: string) => ({ adopt: id, onDestroy: "retain" }) as const;

interface Limits {
  readonly profile: Profile;
  readonly leaveOut: LeaveOut;
}
type Trim = (args: Arguments, means: Limits) => Arguments;
type LeaveOut = (path: readonly string[], why: string) => void;

/** The steps, in order, that remove the arguments that the program must leave out. */
const TRIMS: readonly Trim[] = [withoutUnwritable, withoutRefused, withoutDefaults];

/** Describes the deployment as arguments. `variables`: the values of Terraform's plain variables by name. */
export function describe(
  { id, values, wire }: AccountEntry,
  profile: Profile,
  variables: Properties = {},
): Description | Indescribable {
  if (isBeingDeleted(values.status)) return { why: "it is being deleted" };
  const { environment, overtaken, leftOut: leftVariables } = environmentOf(variables, wire, profile);
  const leftOut: LeftOut[] = [...leftVariables];
  const leaveOut: LeaveOut = (path, why) => leftOut.push({ path: path.join("."), why });
  const live = normalizedRows(deploymentRows, everyArgumentFromWire(deploymentRows, wire, profile));
  const args = TRIMS.reduce<Arguments>(
    (draft, trim) => normalizedRows(deploymentRows, trim(draft, { profile, leaveOut })),
    { ...live, environment, ...adopting(id) },
  );
  const missingName = (["name", "source"] as const).find((name) => isAbsent(args[name]));
  if (missingName !== undefined) return { why: whyMissing(missingName, leftOut) };
  for (const { path, why } of unknownFieldsIn(wire, profile)) leftOut.push({ path, why });
  const { adopt: _adopt, onDestroy: _onDestroy, ...programArgs } = args;
  const declaredVariables = propertiesIn(args.environment);
  const names = Object.keys(propertiesIn(values.secrets)).sort();
  const secretNames = names.filter((name) => name.trim() !== "" && !Object.hasOwn(declaredVariables, name));
  if (names.some((name) => name.trim() === "")) leaveOut(["secrets"], BLANK_SECRET);
  return {
    args: programArgs,
    leftOut,
    secretNames,
    overtaken: overtaken.filter((name) => Object.hasOwn(declaredVariables, name)),
  };
}

const BLANK_SECRET =
  "one of its secrets has a blank name, which a program cannot write; once the program manages its secrets, that secret is removed";

function whyMissing(name: string, leftOut: readonly LeftOut[]): string {
  const why = leftOut.find(({ path }) => path === name)?.why;
  return why === undefined ? `the service shows no ${name}` : `its ${name}: ${why}`;
}

/** Removes values that Pulumi would alter. */
function withoutUnwritable(args: Arguments, { leaveOut }: Limits): Arguments {
  return places(deploymentRows, args).reduce((draft, path) => {
    const why = unwritableKey(path.at(-1) as string) ?? unwritable(valueAt(args, path));
    if (why === undefined) return draft;
    leaveOut(path, why);
    return withValueAt(draft, path, undefined);
  }, args);
}

/** Removes each value that equals the default, which the service computes as a multiple of another argument. */
function withoutDefaults(args: Arguments, { profile: { defaults }, leaveOut }: Limits): Arguments {
  return Object.entries(defaults).reduce((draft, [place, { from, times }]) => {
    const path = place.split(".");
    const [number, base] = [valueAt(args, path), valueAt(args, from.split("."))];
    if (typeof number !== "number" || typeof base !== "number" || number !== base * times) return draft;
    leaveOut(path, "the default of the service");
    return withValueAt(draft, path, undefined);
  }, args);
}

/** Removes values that the provider's check refuses: a service may return a value that it refuses in a request. */
function withoutRefused(args: Arguments, { profile, leaveOut }: Limits): Arguments {
  let draft = args;
  for (;;) {
    const faults = faultsOf(draft, profile, () => false, "adoption");
    const trimmedArgs = faults.reduce((trimmed, { path, words }) => {
      const place = placeOf(deploymentRows, path);
      if (isAbsent(valueAt(trimmed, place))) return trimmed;
      leaveOut(place, String(words));
      return withValueAt(trimmed, place, undefined);
    }, draft);
    if (sameValue(trimmedArgs, draft)) return draft;
    draft = normalizedRows(deploymentRows, trimmedArgs);
  }
}

const isMap = (kind: Kind<unknown> | undefined): boolean =>
  kind?.type === "map" || (kind?.type === "keyed" && kind.single !== undefined);

/** The paths of all fields and map entries, each of which a program can leave out separately. */
function places(rows: Rows, values: Properties, within: readonly string[] = []): (readonly string[])[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [path, kind] = [[...within, name], rows[name]?.kind];
    if (kind?.type === "object" && isProperties(value)) return places(kind.rows, value, path);
    if (isMap(kind) && isProperties(value)) return Object.keys(value).map((key) => [...path, key]);
    return [path];
  });
}

/** The path to leave out for a fault at `path`: if the fault is inside a list, the path of the whole list. */
function placeOf(rows: Rows, path: readonly string[]): readonly string[] {
  let kind: Kind<unknown> = { type: "object", rows };
  for (const [depth, name] of path.entries()) {
    if (isMap(kind)) return path.slice(0, depth + 1);
    if (kind.type !== "object") return path.slice(0, depth);
    kind = kind.rows[name]?.kind ?? { type: "json" };
  }
  return path;
}

interface Environment {
  /** The values that the service shows, by the variable's name. */
  readonly environment: Properties;
  /** Names of the variables that have one value on the service and another in Terraform. */
  readonly overtaken: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Splits Terraform's plain variables into those that change nothing in the first plan, and those that are left out. */
function environmentOf(variables: Properties, wire: Properties, profile: Profile): Environment {
  const [listedVariables, shownValues] = [listedIn(wire, profile), shownIn(wire, profile)];
  const entries = Object.entries(variables).map(([name, value]) => {
    const live = Object.hasOwn(shownValues, name) ? shownValues[name] : undefined;
    return { name, value, live, why: whyNot(live ?? value, live, Object.hasOwn(listedVariables, name)) };
  });
  const declaredEntries = entries.filter(({ why }) => why === undefined);
  return {
    environment: Object.fromEntries(declaredEntries.map(({ name, live }) => [name, live])),
    overtaken: declaredEntries.filter(({ live, value }) => live !== value).map(({ name }) => name),
    leftOut: entries.flatMap(({ name, why }) =>
      why === undefined ? [] : [{ path: `environment.${name}`, why }],
    ),
  };
}

/** Matches the beginnings of well-known API keys. */
export const CREDENTIAL =
  /^(sk-|gh[pousr]_|github_pat_|glpat-|lsv2_|A[KS]IA[0-9A-Z]{12}|xox[abeoprs]-|AIza|hf_|-----BEGIN)/;

function whyNot(value: unknown, live: unknown, isListed: boolean): string | undefined {
  if (!isListed) return "the service has no variable of this name";
  if (CREDENTIAL.test(String(value).trim())) return "its value looks like a credential; put it in secrets";
  if (live !== undefined) return undefined;
  return `Terraform has ${JSON.stringify(value)}, and the service does not show its value; set it together with all secrets`;
}
