/** Creates a resource that a table defines. Takes over an existing resource, or sends a single POST. */
import type { Call, Created } from "../call";
import { ConfigurationError, isConflict } from "../client/errors";
import { describeVerdict } from "../diff/describe";
import { type CheckedPlan, CREATES } from "../diff/recorded";
import { format } from "../diff/sentences";
import { RefusedError } from "../failure";
import { lookUntil } from "../journal/moment";
import type { Inputs, State } from "../schema/recorded";
import { hasUnknown, type Properties } from "../schema/value";
import { rowsToWire } from "../schema/wire";
import { sentence } from "../schema/words";
import {
  inputsOf,
  type Post,
  patchBody,
  planTable,
  type Table,
  tableOutputs,
  withLiveValues,
} from "./definition";

export async function createFrom(table: Table, call: Call, inputs: Inputs): Promise<Created> {
  const current = await table.existing(call, inputs);
  if (current !== undefined) {
    await call.run.journal.drop(call.key("create"));
    return takeOver(table, call, inputs, current);
  }
  if (table.post === undefined) throw call.refuse("nothing can be created");
  return createNew(table, table.post, call, inputs);
}

async function takeOver(table: Table, call: Call, inputs: Inputs, current: Properties): Promise<Created> {
  const id = current.id as string;
  const state = withLiveValues(table, inputs, current, call.profile);
  const { keepers } = call.service.fleet;
  // If the check has claimed the resource, the check has also announced the take-over.
  if (keepers.here.get(id) !== call.urn) await tellTakeOver(table, call, id, state, inputs);
  call.claim(id);
  const body = patchBody(table, state, inputs, call.profile);
  const resource = body === undefined ? current : await table.patch(call, id, body, inputs);
  return { id, outputs: tableOutputs(table, call, inputs, resource) };
}

/** Announces the take-over and returns its plan. */
async function tellTakeOver(
  table: Table,
  call: Call,
  id: string,
  state: State,
  inputs: Inputs,
): Promise<CheckedPlan> {
  const { changes, verdict } = planTable(table, state, inputs, call.profile);
  const effect = verdict === "unchanged" ? undefined : describeVerdict(verdict, changes, call.hidden, false);
  if (table.takenOver !== undefined) await call.tell(table.takenOver(id, effect));
  return { verdict, adopts: id, changes };
}

/** The plan to create a resource. Looks for a resource to take over, and tells the user what would change. */
export async function announceTakeOver(table: Table, call: Call, inputs: Inputs): Promise<CheckedPlan> {
  const identity = Object.entries(table.rows).filter(([, field]) => field.class === "replace");
  if (table.takenOver === undefined || identity.some(([name]) => hasUnknown(inputs[name]))) return CREATES;
  try {
    const current = await table.existing(call, inputs);
    if (current === undefined && table.takesNothing) await call.tell(table.takesNothing(call.profile));
    if (current === undefined) return CREATES;
    const id = current.id as string;
    const state = withLiveValues(table, inputs, current, call.profile);
    call.claim(id);
    return await tellTakeOver(table, call, id, state, inputs);
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof RefusedError) throw error;
    // A plan must work even while the service is down. `pulumi up` will report the failure.
    await call.warn(
      `it is not known whether the service already has this ${table.kind}: ${sentence((error as Error).message)} If the service has it, the update takes it over and changes what differs`,
    );
    return CREATES;
  }
}

async function createNew(table: Table, post: Post, call: Call, inputs: Inputs): Promise<Created> {
  const refusal = await post.refusal(call, inputs);
  if (refusal !== undefined) throw refusal;
  const earlier = await madeBefore(table, call, inputs);
  if (earlier !== undefined) return takeOver(table, call, inputs, earlier);
  try {
    const { answer: resource } = await sendPost(table, post, call, inputs);
    const id = resource.id as string;
    call.service.fleet.keepers.claim(id, call.urn);
    await call.tell(format.created({ id }));
    return { id, outputs: tableOutputs(table, call, inputs, resource) };
  } catch (error) {
    // Somebody may have created the resource after the look-up.
    const current = isConflict(error) ? await table.existing(call, inputs) : undefined;
    if (current !== undefined) return takeOver(table, call, inputs, current);
    throw await post.explain(call, inputs, error);
  }
}

/** The resource that an interrupted run has made; undefined if the creation may proceed. */
async function madeBefore(table: Table, call: Call, inputs: Inputs): Promise<Properties | undefined> {
  const { journal, clock } = call.run;
  const key = call.key("create");
  const attempt = await journal.get(key);
  if (attempt === undefined) return undefined;
  const expiresAt = Math.min(attempt.expiresAt, call.moment().expiresAt);
  const tell = () => call.tell(format.requestMayArrive({ file: journal.fileOf(key) }));
  const resource = await lookUntil(clock, expiresAt, () => table.existing(call, inputs), tell);
  await journal.drop(key);
  return resource;
}

function sendPost(table: Table, post: Post, call: Call, inputs: Inputs) {
  const body = { ...post.sections, ...rowsToWire(table.rows, inputsOf(table, inputs), call.profile) };
  const name = post.name(call, inputs);
  const intent = { ...call.key("create"), kind: table.kind, name, sent: {}, secretNames: [], known: [] };
  return call.carry<Properties>({
    intent,
    send: (beforeSending) => post.send(call, body, beforeSending),
    noteOf: ({ id }) => id as string,
    find: () => table.existing(call, inputs),
    inDoubt: (failure) => call.creationInDoubt(failure),
  });
}
