/** Computes the arguments that describe a live deployment, and lists the values that a program must leave out. */
import { faultsOf } from "../../../provider/deployment/arguments";
import { listedIn, sameVariable, shownIn } from "../../../provider/deployment/live";
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
import { isWritable, type LeftOut, NOT_WRITABLE, unknownFieldsIn } from "./leftOut";

export interface Description {
  /** The arguments without `adopt` and `onDestroy`, which `adopting` adds. */
  readonly args: Arguments;
  readonly leftOut: readonly LeftOut[];
  /** Names of the service's variables that the program does not declare in `environment`. */
  readonly secretNames: readonly string[];
}

interface Indescribable {
  readonly why: string;
}

/** The arguments that make the program adopt the deployment and never delete it. */
export const adopting = (id: string) => ({ adopt: id, onDestroy: "retain" }) as const;

type LeaveOut = (path: readonly string[], why: string) => void;

/**
 * Describes the deployment as arguments. `variables` has Terraform's plain variables. Every other variable counts as
 * a secret, because the service does not say which variables are plain.
 */
export function describe(
  { id, values, wire }: AccountEntry,
  profile: Profile,
  variables: Properties = {},
): Description | Indescribable {
  if (isBeingDeleted(values.status)) return { why: "it is being deleted" };
  const leftOut: LeftOut[] = [];
  const leaveOut: LeaveOut = (path, why) => leftOut.push({ path: path.join("."), why });
  const live = normalizedRows(deploymentRows, everyArgumentFromWire(deploymentRows, wire, profile));
  const environment = environmentOf(variables, wire, profile, leaveOut);
  const writable = withoutUnwritable({ ...live, environment, ...adopting(id) }, leaveOut);
  const args = withoutRefused(normalizedRows(deploymentRows, writable), profile, leaveOut);
  const missingName = (["name", "source"] as const).find((name) => isAbsent(args[name]));
  if (missingName !== undefined) return { why: whyMissing(missingName, leftOut) };
  for (const { path, why } of unknownFieldsIn(wire, profile)) leftOut.push({ path, why });
  if (isProperties(values.agent))
    leaveOut(
      ["agent"],
      `bound to ${Object.values(values.agent).join(", ")}, which cannot be declared yet and stays`,
    );
  const { adopt: _adopt, onDestroy: _onDestroy, ...programArgs } = args;
  const declared = propertiesIn(args.environment);
  const names = Object.keys(propertiesIn(values.secrets)).sort();
  const secretNames = names.filter((name) => !Object.hasOwn(declared, name));
  return { args: programArgs, leftOut, secretNames };
}

function whyMissing(name: string, leftOut: readonly LeftOut[]): string {
  const why = leftOut.find(({ path }) => path === name)?.why;
  return why === undefined ? `the service shows no ${name}` : `its ${name}: ${why}`;
}

/** Removes values that Pulumi would alter. */
function withoutUnwritable(args: Arguments, leaveOut: LeaveOut): Arguments {
  return places(deploymentRows, args).reduce((draft, path) => {
    if (isWritable(path.at(-1)) && isWritable(valueAt(args, path))) return draft;
    leaveOut(path, NOT_WRITABLE);
    return withValueAt(draft, path, undefined);
  }, args);
}

/** Removes values that the provider's check refuses. A service may return a value that it refuses in a request. */
function withoutRefused(args: Arguments, profile: Profile, leaveOut: LeaveOut): Arguments {
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

/** The paths of all fields and map entries that a program can leave out individually. */
function places(rows: Rows, values: Properties, within: readonly string[] = []): (readonly string[])[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [path, kind] = [[...within, name], rows[name]?.kind];
    if (kind?.type === "object" && isProperties(value)) return places(kind.rows, value, path);
    if (isMap(kind) && isProperties(value)) return Object.keys(value).map((key) => [...path, key]);
    return [path];
  });
}

/** Returns the path to leave out for a fault at `path`. For a fault inside a list, returns the list's path. */
function placeOf(rows: Rows, path: readonly string[]): readonly string[] {
  let kind: Kind<unknown> = { type: "object", rows };
  for (const [depth, name] of path.entries()) {
    if (isMap(kind)) return path.slice(0, depth + 1);
    if (kind.type !== "object") return path.slice(0, depth);
    kind = kind.rows[name]?.kind ?? { type: "json" };
  }
  return path;
}

/** The prefixes of well-known credentials. */
export const CREDENTIAL =
  /^(sk-|gh[pousr]_|github_pat_|glpat-|lsv2_|A[KS]IA[0-9A-Z]{12}|xox[abeoprs]-|AIza|hf_|-----BEGIN)/;

const HIDDEN = "and the service does not show its value; set it together with all secrets";

/** Leaves out credentials and values that the service hides. */
function environmentOf(
  variables: Properties,
  wire: Properties,
  profile: Profile,
  leaveOut: LeaveOut,
): Properties {
  const [listedVariables, shownValues] = [listedIn(wire, profile), shownIn(wire, profile)];
  const environment = new Map<string, unknown>();
  for (const [name, value] of Object.entries(variables)) {
    const live = valueAt(shownValues, [name]);
    const leave = (why: string) => leaveOut(["environment", name], why);
    if (!Object.hasOwn(listedVariables, name)) leave("the service has no variable of this name");
    else if (CREDENTIAL.test(String(live ?? value).trim()))
      leave("its value looks like a credential; put it in secrets");
    else if (live === undefined) leave(`Terraform has ${JSON.stringify(value)}, ${HIDDEN}`);
    // Only Terraform's own value is known to be plain.
    else if (!sameVariable(live, value))
      leave("the service has another value than Terraform; set it in secrets");
    else environment.set(name, live);
  }
  return Object.fromEntries(environment);
}
