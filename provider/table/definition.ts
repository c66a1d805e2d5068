/** What a resource that is a table says of itself, and what follows from its rows: the bodies of its requests and its outputs. */
import type { Call } from "../call";
import type { Reply } from "../client/endpoints";
import type { RefusedError } from "../failure";
import type { Rows } from "../fields/kind";
import { isAbsent, isProperties, type Properties } from "../fields/value";
import { everyRowFromWire, rowsFromWire, toPatch } from "../fields/wire";
import type { Profile } from "../profiles/profiles";
import type { Words } from "../verdict/wording";
import { type PlannedTable, planTable } from "./plan";

/** Of a resource: its rows, and the calls that its service has for it. */
export interface Table extends PlannedTable {
  /** What messages call it: `listener`. */
  readonly kind: string;
  /** Its class in the program, whose `get` reads what the program does not manage. */
  readonly type: string;
  /** What the service says of it. */
  readonly outputRows: Rows;
  /** What the provider adds: `serviceUrl`. */
  readonly computedRows: Rows;
  /** The one that the arguments mean, where it may exist already: it is taken over. */
  readonly existing: (call: Call, inputs: Properties) => Promise<Properties | undefined>;
  /** Not there where nothing can be created. */
  readonly post?: Post;
  readonly patch: (call: Call, id: string, body: Properties, inputs: Properties) => Promise<Reply>;
  /** The resource with that id; not there where the service has no call that reads it. */
  readonly find?: (call: Call, id: string) => Promise<Properties | undefined>;
  /** What deletes it; undefined where the service has no such call. */
  readonly remover?: (call: Call) => ((id: string) => Promise<void>) | undefined;
  /** What a creation says that takes over what exists; nothing unless given. */
  readonly takenOver?: (id: string) => Words;
  /** The plan's line for a replacement that does not delete the old one. */
  readonly replaced: (parts: Replaced, olds: Properties) => Words;
  /** What a deletion that deletes nothing says. */
  readonly left: (id: string, state: Properties) => string;
  /** What `check` says of right arguments; undefined for nothing. */
  readonly remark?: (args: Properties, isNew: boolean) => string | undefined;
}

/** A replacement in words. */
export interface Replaced {
  readonly reasons: Words;
  readonly id: string;
  /** Where it may be replaced: what is done else. */
  readonly otherwise: Words | undefined;
}

/** The POST of a resource, and the words around it. */
export interface Post {
  /** Why this service cannot create it; undefined where it can. Unless given, it can. */
  readonly refusal?: (call: Call, inputs: Properties) => Promise<RefusedError | undefined>;
  readonly send: (call: Call, body: Properties, beforeSending: () => Promise<void>) => Promise<Reply>;
  /** Sections that services insist on; none unless given. */
  readonly sections?: Properties;
  /** By which the journal knows it; empty where that is secret. */
  readonly name: (call: Call, inputs: Properties) => string;
  /** The error of a POST in words that say what to do; itself unless given. */
  readonly explain?: (call: Call, inputs: Properties, error: unknown) => Promise<unknown>;
}

/** The body of a PATCH from one to the other; undefined when it would change nothing. */
export function patchBody(table: Table, olds: Properties, news: Properties, profile: Profile) {
  const { before: from, after: to, changes } = planTable(table, olds, news, profile);
  const changed = changes.filter(({ effect }) => effect !== "kept").map(({ path }) => path.split(".")[0]);
  const body: Properties = {};
  let isChanged = false;
  for (const [name, field] of Object.entries(table.rows)) {
    if (field.wire === undefined || field.class === "replace") continue;
    const isSent = table.patchesAll ? !isAbsent(to[name]) : changed.includes(name);
    isChanged ||= changed.includes(name);
    const value = isAbsent(to[name]) && field.group ? {} : to[name];
    if (isSent) body[field.wire] = toPatch(field.kind, from[name], value, profile, name);
  }
  return isChanged ? body : undefined;
}

export function outputsOf(
  { outputRows }: Table,
  call: Call,
  inputs: Properties,
  resource: Properties,
): Properties {
  const told = everyRowFromWire(outputRows, resource, call.profile);
  return { ...inputs, ...told, serviceUrl: call.baseUrl };
}

/** What the service has of what the program manages. */
export function managed(
  { rows }: Table,
  state: Properties,
  resource: Properties,
  profile: Profile,
): Properties {
  const live = rowsFromWire(rows, resource, profile);
  const part: Properties = { ...state };
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.class === "replace" || isAbsent(state[name])) continue;
    if (!field.group || isProperties(live[name])) part[name] = live[name];
  }
  return part;
}
