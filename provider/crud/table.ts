/** A resource whose check, plan, requests and outputs follow from a table's rows. */
import type { Call, Diffed, ReadResult, Resource } from "../call";
import { mayBeGone } from "../client/errors";
import { changesBetween } from "../diff/changes";
import { describeOtherwise, describeReplacement, describeVerdict } from "../diff/describe";
import { UNCHANGED } from "../diff/recorded";
import { format } from "../diff/sentences";
import { RefusedError } from "../failure";
import type { Profile } from "../profiles/profiles";
import { FORCING_REPLACEMENT, REFRESH } from "../run/failureWords";
import { deletionFaults, faultsIn } from "../schema/check";
import { type Arguments, type Inputs, type State, stateOf } from "../schema/recorded";
import { type Properties, rowsIn, unknowns } from "../schema/value";
import { everyArgumentFromWire } from "../schema/wire";
import { announceTakeOver, createFrom } from "./create";
import {
  inputsOf,
  patchBody,
  planTable,
  type Table,
  type TablePlan,
  tableOutputs,
  withLiveValues,
} from "./definition";

const UNREADABLE =
  "the service has no call that shows what it stores. Declare it: the first update takes over what is there";

export function tableResource(table: Table): Resource {
  return {
    kind: table.kind,
    rows: table.rows,
    outputRows: { ...table.outputRows, ...table.computedRows },
    reported: Object.keys(table.outputRows),
    unreadable: table.find === undefined ? UNREADABLE : undefined,

    async check(call, recorded, args) {
      const { profile } = call;
      const canDelete = table.removal?.isPossible(profile) === true;
      const faults = [
        ...faultsIn(table.rows, args, call.hidden),
        ...deletionFaults(args, canDelete, profile.name),
      ];
      const remark = faults.length > 0 ? undefined : table.remark?.(args, recorded === undefined);
      if (remark !== undefined) await call.tell(remark);
      const inputs = inputsOf(table, args);
      if (faults.length > 0) return { inputs, failures: faults };
      const plan =
        recorded === undefined
          ? await announceTakeOver(table, call, inputs)
          : planTable(table, recorded, inputs, call.profile);
      return { inputs, failures: [], plan };
    },

    async diff(call, id, state, inputs) {
      call.confirm(id, state);
      const plan = planTable(table, state, inputs, call.profile);
      const { changes, verdict } = plan;
      if (call.isPlan && verdict === "replace") call.service.fleet.keepers.release(id, call.urn);
      // Without this claim, the deletion of an earlier run's leftover state entry could delete the resource.
      else if (call.isPlan) call.claim(id);
      if (call.isPlan && changes.length > 0) await announce(table, call, id, state, plan);
      const replacing = changes.filter(({ effect }) => effect === "replace");
      const replaces = replacing.map(({ path }) => path.split(".")[0] as string);
      const deleteBeforeReplace =
        replaces.length === 0 &&
        deletesOld(table, call, state, () => call.profile) &&
        call.deleteBeforeReplace !== false;
      return { changes: changes.length > 0, replaces, deleteBeforeReplace, verdict } satisfies Diffed;
    },

    async replaced(call, { id, deletesFirst }) {
      if (table.post !== undefined && !deletesFirst)
        throw call.refuse(
          `${format.replacedByEngine()}, but the new one would be the old one. Take the cause away: ${FORCING_REPLACEMENT}`,
        );
      if (id !== undefined) call.service.fleet.keepers.release(id, call.urn);
    },

    create: (call, inputs) => createFrom(table, call, inputs),

    async read(call, id, state): Promise<ReadResult> {
      if (table.find === undefined) return { id, outputs: state };
      call.confirm(id, state);
      const resource = await table.find(call, id);
      const result = resource && readResult(table, call, id, state, resource);
      const settings = result?.outputs;
      if (call.readOnly) call.run.planned.set(id, { id, isReplaced: false, deletesFirst: false, settings });
      if (result !== undefined) return result;
      if (!call.readOnly) return { id: undefined };
      throw new RefusedError(`${call.baseUrl} has no ${table.kind} with the id ${id}`, `${table.type}.get`);
    },

    async update(call, id, state, inputs) {
      const body = patchBody(table, state, inputs, call.profile);
      if (body !== undefined && !call.isPlan) {
        await refuseLosses(table, call, id, state, inputs);
        return tableOutputs(table, call, inputs, await table.patch(call, id, body, inputs));
      }
      const changing = body === undefined ? {} : unknowns(["updatedAt"]);
      return stateOf(inputs, { ...rowsIn(table.outputRows, state), serviceUrl: call.baseUrl, ...changing });
    },

    async delete(call, id, state) {
      call.confirm(id, state);
      if (state.onDestroy === "fail") {
        throw call.refuse(
          `onDestroy is "fail": the ${table.kind} ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
        );
      }
      const { keepers } = call.service.fleet;
      // The arguments are unchanged, so the creation took over the resource that it was meant to replace.
      if (table.post !== undefined && keepers.here.get(id) === call.urn && !call.run.planned.has(call.urn))
        throw call.refuse(
          `was not replaced: the new one would be the old one, ${id}. Leave --replace out, or untaint it`,
        );
      const { removal } = table;
      if (!removal?.isPossible(call.profile) || state.onDestroy !== "delete" || keepers.of(id) !== undefined)
        return call.warn(table.left(id, state));
      call.run.door.permit("deletion", id);
      await removal.send(call, id).catch(async (error: unknown) => {
        // Either the resource is already gone, or the service cannot delete resources.
        if (!mayBeGone(error)) throw error;
        if ((await table.find?.(call, id)) === undefined) return;
        throw call.undeleted(id, error);
      });
    },
  };
}

/**
 * Throws a RefusedError if a field that the update sends has a value from another tool that no plan has compared. The
 * service may replace a section as a whole, so the request cannot leave out parts of a section.
 */
async function refuseLosses(
  table: Table,
  call: Call,
  id: string,
  state: State,
  inputs: Inputs,
): Promise<void> {
  const resource = await table.find?.(call, id);
  if (resource === undefined) return;
  const live = withLiveValues(table, state, resource, call.profile);
  const pathsBetween = (before: Arguments, after: Arguments) =>
    changesBetween(table.rows, inputsOf(table, before), inputsOf(table, after), call.profile).map(
      ({ path }) => path,
    );
  const sections = pathsBetween(state, inputs).map((path) => path.split(".")[0]);
  const resetPaths = pathsBetween(live, inputs);
  const lostPaths = pathsBetween(state, live).filter(
    (path) => sections.includes(path.split(".")[0]) && resetPaths.includes(path),
  );
  if (lostPaths.length > 0)
    throw call.refuse(
      `another tool has changed ${lostPaths.join(", ")}, which this plan did not compare. ${REFRESH}`,
    );
}

/** Throws a RefusedError if the plan must not be carried out. */
async function announce(table: Table, call: Call, id: string, state: State, plan: TablePlan): Promise<void> {
  const { changes, verdict } = plan;
  if (verdict !== "replace" && verdict !== "mayReplace")
    return call.tell(describeVerdict(verdict, changes, call.hidden, false));
  await call.tell(replacement(table, call, id, state, plan));
  if (state.onDestroy !== "fail") return;
  throw call.refuse(
    `onDestroy is "fail", which forbids the replacement (${describeReplacement(changes, call.hidden)})`,
  );
}

/** `profile` is the profile that applies to the deletion. */
const deletesOld = ({ removal }: Table, call: Call, state: State, profile: () => Profile): boolean =>
  state.onDestroy === "delete" && !call.retained && removal?.isPossible(profile()) === true;

/** The line that says why the resource is replaced, and what happens to the old resource. */
function replacement(table: Table, call: Call, id: string, state: State, { changes, verdict }: TablePlan) {
  const reasons = describeReplacement(changes, call.hidden);
  const isDeleted = deletesOld(table, call, state, () => call.formerProfile(state));
  const fate = isDeleted ? format.oldIsDeleted({ id }) : table.staying(id, state);
  if (verdict !== "mayReplace") return format.replacedWith({ reasons, fate });
  const otherwise = describeOtherwise(changes, call.hidden, false);
  return format.mayReplaceWith({ reasons, fate, otherwise });
}

function readResult(table: Table, call: Call, id: string, state: State, resource: Properties): ReadResult {
  const { profile, readOnly } = call;
  if (readOnly) {
    const args = everyArgumentFromWire(table.rows, resource, profile);
    return { id, outputs: tableOutputs(table, call, { ...(state as Properties), ...args, id }, resource) };
  }
  const current = withLiveValues(table, state, resource, profile);
  const outputs = tableOutputs(table, call, current, resource);
  return { id, outputs, inputs: rowsIn(table.rows, current), plan: UNCHANGED };
}
