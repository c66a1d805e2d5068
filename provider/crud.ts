/**
 * The road of a resource that is a table and a few calls: its check, its plan's line, the bodies of its requests and its
 * outputs come from the rows.
 */
import type { Call } from "./call";
import type { Answered } from "./client/endpoints";
import { isConflict, isNotFound } from "./client/errors";
import { RefusedError } from "./failure";
import { faultInWords, faultsIn } from "./fields/check";
import type { Rows } from "./fields/kind";
import { isAbsent, isProperties, type Properties, rowsIn } from "./fields/value";
import { everyArgumentFromWire, everyRowFromWire, rowsFromWire, rowsToWire, toPatch } from "./fields/wire";
import { lookUntil } from "./journal/moment";
import type { Profile } from "./profiles/profiles";
import type { Created, Diffed, ReadResult, Resource } from "./resource";
import type { Change } from "./verdict/changes";
import { describeChanges, describeVerdict, sentence } from "./verdict/describe";
import { argumentsOf, type PlannedTable, planTable, type TablePlan } from "./verdict/tablePlan";

/** Of a resource: its rows, and the calls that its service has for it. */
export interface Table extends PlannedTable {
  /** What messages call it: `listener`. */
  readonly kind: string;
  /** Its class in the program, whose `get` reads what the program does not manage. */
  readonly type: string;
  readonly outputRows: Rows;
  /** The one that the arguments mean, where it may exist already: it is taken over. */
  readonly existing: (call: Call, inputs: Properties) => Promise<Properties | undefined>;
  /** Not there where nothing can be created. */
  readonly post?: Post;
  readonly patch: (call: Call, id: string, body: Properties, inputs: Properties) => Promise<Answered>;
  /** The resource with that id; not there where the service has no call that reads it. */
  readonly find?: (call: Call, id: string) => Promise<Properties | undefined>;
  /** What deletes it; undefined where the service has no such call. */
  readonly remover?: (call: Call) => ((id: string) => Promise<void>) | undefined;
  /** What the plan's line says of the old one of a replacement. */
  readonly replaced: (id: string, olds: Properties, call: Call) => string;
  /** What a deletion that deletes nothing says. */
  readonly left: (id: string, state: Properties) => string;
  /** What `check` says of right arguments; undefined for nothing. */
  readonly remark?: (args: Properties, isNew: boolean) => string | undefined;
}

/** The POST of a resource, and the words around it. */
export interface Post {
  readonly isAllowed: (profile: Profile) => boolean;
  /** Why nothing can be created. */
  readonly refusal: (call: Call, inputs: Properties) => Promise<RefusedError>;
  readonly send: (call: Call, body: Properties, beforeSending: () => Promise<void>) => Promise<Answered>;
  /** Sections that services insist on. */
  readonly sections: Properties;
  /** By which the journal knows it; empty where that is secret. */
  readonly name: (call: Call, inputs: Properties) => string;
  /** The error of a POST in words that say what to do. */
  readonly explain: (call: Call, inputs: Properties, error: unknown) => Promise<unknown>;
}

/** How often to look for what a POST without an answer has made. */
const LOOKS = 4;

/** The body of a PATCH from one to the other; undefined when it would change nothing. */
function patchBody(table: Table, before: Properties, after: Properties, profile: Profile) {
  const { changes } = planTable(table, before, after, profile);
  const [from, to] = [argumentsOf(table, before), argumentsOf(table, after)];
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

function outputsOf({ outputRows }: Table, call: Call, inputs: Properties, resource: Properties): Properties {
  const told = everyRowFromWire(outputRows, resource, call.profile);
  return { ...inputs, ...told, serviceUrl: call.baseUrl };
}

/** What the service has of what the program manages. */
function managed({ rows }: Table, state: Properties, resource: Properties, profile: Profile): Properties {
  const live = rowsFromWire(rows, resource, profile);
  const part: Properties = { ...state };
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.class === "replace" || isAbsent(state[name])) continue;
    if (!field.group || isProperties(live[name])) part[name] = live[name];
  }
  return part;
}

/** The resource with the calls of the table. */
export function tableResource(table: Table): Resource {
  return {
    kind: table.kind,
    rows: table.rows,
    reported: Object.keys(table.outputRows),

    async check(call, olds, news) {
      const { profileInUse } = call.service;
      const faults = faultsIn(table.rows, news, call.hidden);
      const remark = faults.length > 0 ? undefined : table.remark?.(news, olds === undefined);
      if (remark !== undefined) await call.tell(remark);
      return { inputs: argumentsOf(table, news), failures: faults.map(faultInWords), profileInUse };
    },

    async diff(call, id, olds, news) {
      call.confirm(id, olds);
      const { changes, verdict } = planTable(table, olds, news, call.profile);
      if (call.planned && changes.length > 0) await announce(table, call, id, olds, { changes, verdict });
      return { changes: changes.length > 0, replaces: replacing(changes) } satisfies Diffed;
    },

    async create(call, inputs) {
      const found = await table.existing(call, inputs);
      if (found !== undefined) return takeOver(table, call, inputs, found);
      if (table.post === undefined) throw new Error(`${call.label}: nothing can be created`);
      return createNew(table, table.post, call, inputs);
    },

    async read(call, id, state): Promise<ReadResult> {
      if (table.find === undefined) return { id, outputs: state };
      call.confirm(id, state);
      const resource = await table.find(call, id);
      if (resource !== undefined) return readResult(table, call, id, state, resource);
      if (!call.readOnly) return { id: undefined };
      throw new RefusedError(`${table.type}.get: ${call.baseUrl} has no ${table.kind} with the id ${id}`);
    },

    async update(call, id, olds, news) {
      const body = patchBody(table, olds, news, call.profile);
      if (body !== undefined)
        return outputsOf(table, call, news, (await table.patch(call, id, body, news)).resource);
      const kept = Object.keys(table.outputRows).map((name) => [name, olds[name]]);
      return { ...Object.fromEntries(kept), ...news, serviceUrl: call.baseUrl };
    },

    async delete(call, id, state) {
      call.confirm(id, state);
      const remove = table.remover?.(call);
      if (state.onDestroy === "fail") {
        throw call.refuse(
          `onDestroy is "fail": the ${table.kind} ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
        );
      }
      const isOurs = remove !== undefined && call.service.fleet.keeperOf(id) !== undefined;
      if (remove === undefined || state.onDestroy !== "delete" || isOurs)
        return call.warn(table.left(id, state));
      await remove(id).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

const replacing = (changes: readonly Change[]): string[] =>
  changes.filter(({ effect }) => effect === "replace").map(({ path }) => path.split(".")[0] as string);

/** What the plan says of it. Throws a RefusedError for what must not be carried out. */
async function announce(
  table: Table,
  call: Call,
  id: string,
  olds: Properties,
  plan: TablePlan,
): Promise<void> {
  const { changes, verdict } = plan;
  const words = describeVerdict(verdict, changes, call.hidden).replace(", no new revision", "");
  const isReplaced = verdict === "replace";
  await call.tell(isReplaced ? `${words}; ${table.replaced(id, olds, call)}` : words);
  if (!isReplaced || olds.onDestroy !== "fail") return;
  throw call.refuse(
    `onDestroy is "fail", which forbids the replacement (${describeChanges(changes, call.hidden)})`,
  );
}

async function takeOver(table: Table, call: Call, inputs: Properties, found: Properties): Promise<Created> {
  const id = found.id as string;
  if (table.post !== undefined) await call.tell(`takes over the existing ${table.kind} ${id}`);
  const body = patchBody(table, managed(table, inputs, found, call.profile), inputs, call.profile);
  const resource = body === undefined ? found : (await table.patch(call, id, body, inputs)).resource;
  call.service.fleet.claim(id, call.urn);
  return { id, outputs: outputsOf(table, call, inputs, resource) };
}

async function createNew(table: Table, post: Post, call: Call, inputs: Properties): Promise<Created> {
  if (!post.isAllowed(call.profile)) throw await post.refusal(call, inputs);
  const made = await madeBefore(table, call, inputs);
  if (made !== undefined) return takeOver(table, call, inputs, made);
  return call.reporting(call.run.creations, async () => {
    try {
      const resource = await sendPost(table, post, call, inputs);
      const id = resource.id as string;
      call.service.fleet.claim(id, call.urn);
      await call.tell(`created, id ${id}`);
      return { id, outputs: outputsOf(table, call, inputs, resource) };
    } catch (error) {
      // Somebody may have made it since it was looked for.
      const found = isConflict(error) ? await table.existing(call, inputs) : undefined;
      if (found !== undefined) return takeOver(table, call, inputs, found);
      throw await post.explain(call, inputs, error);
    }
  });
}

/** What an interrupted run may have made, or may still be making; undefined when the way to a creation is free. */
async function madeBefore(table: Table, call: Call, inputs: Properties): Promise<Properties | undefined> {
  const { creations, clock } = call.run;
  const left = await creations.openEntry(call.key);
  if (left === undefined) return undefined;
  const latest = call.moment().overAt;
  const overAt = "reason" in left.entry ? latest : Math.min(left.entry.overAt, latest);
  if (clock.now() < overAt) {
    await call.tell(
      `an earlier run was interrupted while it created it, and its request may still arrive (journal: ${left.file})`,
    );
  }
  const made = await lookUntil(clock, overAt, () => table.existing(call, inputs));
  await creations.drop(call.key);
  return made;
}

function sendPost(table: Table, post: Post, call: Call, inputs: Properties): Promise<Properties> {
  const body = { ...post.sections, ...rowsToWire(table.rows, argumentsOf(table, inputs), call.profile) };
  const name = post.name(call, inputs);
  const intent = { ...call.key, kind: table.kind, name, sent: {}, secretNames: [], known: [] };
  return call.sendOnce<Properties>({
    journalled: { journal: call.run.creations, intent },
    send: async (beforeSending) => (await post.send(call, body, beforeSending)).resource,
    noteOf: ({ id }) => ({ id: id as string }),
    lost: {
      begin: (error) => call.tell(`it is not certain whether it was made (${error.message}); looking for it`),
      looks: LOOKS,
      find: () => table.existing(call, inputs).catch(() => undefined),
      otherwise: (error) =>
        new Error(
          `${call.label}: ${sentence(error.message)} It has not appeared since: run up again, which looks for it before it creates one`,
          { cause: error },
        ),
    },
  });
}

function readResult(
  table: Table,
  call: Call,
  id: string,
  state: Properties,
  resource: Properties,
): ReadResult {
  const { profile, readOnly } = call;
  if (readOnly) {
    const args = everyArgumentFromWire(table.rows, resource, profile);
    return { id, outputs: outputsOf(table, call, { ...state, ...args, id }, resource) };
  }
  const current = managed(table, state, resource, profile);
  return { id, outputs: outputsOf(table, call, current, resource), inputs: rowsIn(table.rows, current) };
}
