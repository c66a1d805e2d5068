/** Resources that a table defines, and the requests and outputs that follow from the table's rows. */
import type { Call } from "../call";
import { type Change, changesBetween, type Verdict, verdictOf } from "../diff/changes";
import type { RefusedError } from "../failure";
import type { Profile } from "../profiles/profiles";
import type { ClassedRows, Rows } from "../schema/kind";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { isAbsent, isProperties, normalizedRows, type Properties, rowsIn } from "../schema/value";
import { everyRowFromWire, rowsFromWire, toPatch } from "../schema/wire";

/** The rows of a resource, and the calls that create, read, change and delete the resource. */
export interface Table extends PlannedTable {
  /** The resource's kind in messages, such as `listener`. */
  readonly kind: string;
  /** The resource's class in the program. The `get` of the class reads resources that the program does not manage. */
  readonly type: string;
  /** Outputs that the service reports. */
  readonly outputRows: Rows;
  /** Outputs that the provider adds: `serviceUrl`. */
  readonly computedRows: Rows;
  /** The existing resource that the arguments identify, which a creation takes over; undefined if there is none. */
  readonly existing: (call: Call, inputs: Inputs) => Promise<Properties | undefined>;
  /** How to create the resource; undefined if no service can create the resource. */
  readonly post?: Post;
  readonly patch: (call: Call, id: string, body: Properties, inputs: Inputs) => Promise<Properties>;
  /** Reads the resource with that id; undefined if the service has no call that reads a resource. */
  readonly find?: (call: Call, id: string) => Promise<Properties | undefined>;
  /** How to delete the resource; undefined if no service can delete the resource. */
  readonly removal?: {
    readonly isPossible: (profile: Profile) => boolean;
    readonly send: (call: Call, id: string) => Promise<void>;
  };
  /** The line about a take-over. `effect` describes the changes; undefined if nothing changes. */
  readonly takenOver?: (id: string, effect: string | undefined) => string;
  /** The line that a plan shows if a creation takes over nothing. */
  readonly takesNothing?: (profile: Profile) => string;
  /** The plan's sentence about the old resource if a replacement does not delete it. */
  readonly staying: (id: string, state: State) => string;
  /** The warning when a destroy leaves the resource on the service. */
  readonly left: (id: string, state: State) => string;
  /** The line that `check` shows when the arguments are valid; undefined for no line. */
  readonly remark?: (args: Arguments, isNew: boolean) => string | undefined;
}

/** The POST of a resource, and its messages. */
export interface Post {
  /** Why this service cannot create the resource; undefined if the service can. */
  readonly refusal: (call: Call, inputs: Inputs) => Promise<RefusedError | undefined>;
  readonly send: (call: Call, body: Properties, beforeSending: () => Promise<void>) => Promise<Properties>;
  /** Sections that the body always has, because some services require them. */
  readonly sections: Properties;
  /** The resource's name in the journal; empty if the name is secret. */
  readonly name: (call: Call, inputs: Inputs) => string;
  /** Returns the error to throw in place of the POST's error. */
  readonly explain: (call: Call, inputs: Inputs, error: unknown) => Promise<unknown>;
}

/** The body of the PATCH that changes `state` into `inputs`; undefined if there is nothing to change. */
export function patchBody(table: Table, state: State, inputs: Inputs, profile: Profile) {
  const { before: from, after: to, changes } = planTable(table, state, inputs, profile);
  const names = changes.filter(({ effect }) => effect !== "kept").map(({ path }) => path.split(".")[0]);
  const body: Properties = {};
  let isChanged = false;
  for (const [name, field] of Object.entries(table.rows)) {
    if (field.wire === undefined || field.class === "replace") continue;
    const isSent = table.patchesAll ? !isAbsent(to[name]) : names.includes(name);
    isChanged ||= names.includes(name);
    if (isSent) body[field.wire] = toPatch(field.kind, from[name], to[name], profile, name);
  }
  return isChanged ? body : undefined;
}

export function tableOutputs({ outputRows }: Table, call: Call, inputs: Inputs, resource: Properties): State {
  const reports = everyRowFromWire(outputRows, resource, call.profile);
  return stateOf(inputs, { ...reports, serviceUrl: call.baseUrl });
}

/** Inputs or a state, with the service's values in the fields that the program manages. */
export function withLiveValues(
  { rows }: Table,
  recorded: Arguments,
  resource: Properties,
  profile: Profile,
): Properties {
  const live = rowsFromWire(rows, resource, profile);
  const values: Properties = { ...recorded };
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.class === "replace" || isAbsent(recorded[name])) continue;
    if (!field.group || isProperties(live[name])) values[name] = live[name];
  }
  return values;
}

interface PlannedTable {
  readonly rows: ClassedRows;
  /** Whether each PATCH sends all managed fields. No PATCH can then clear a field that is no longer managed. */
  readonly patchesAll?: boolean;
}

/** The inputs to record: the arguments in normal form. */
export function inputsOf({ rows }: PlannedTable, settings: Arguments): Inputs {
  return normalizedRows(rows, rowsIn(rows, settings));
}

export interface TablePlan {
  /** The old and the new arguments, in normal form. */
  readonly before: Inputs;
  readonly after: Inputs;
  readonly changes: readonly Change[];
  readonly verdict: Verdict;
}

export function planTable(table: PlannedTable, state: State, inputs: Inputs, profile: Profile): TablePlan {
  const [before, after] = [inputsOf(table, state), inputsOf(table, inputs)];
  const changes = changesBetween(table.rows, before, after, profile).map((change) =>
    staysWithService(table, change) ? ({ ...change, effect: "kept" } as const) : change,
  );
  return { before, after, changes, verdict: verdictOf(changes) };
}

function staysWithService({ rows, patchesAll }: PlannedTable, change: Change): boolean {
  return patchesAll === true && isAbsent(change.after) && rows[change.path]?.wire !== undefined;
}
