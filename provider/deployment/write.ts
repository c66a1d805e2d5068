/** An update with its request, and the outputs of an unfinished write. */
import type { Call } from "../call";
import { UnfinishedError } from "../failure";
import { isProperties, laidOver, type Properties } from "../fields/value";
import { sentence } from "../fields/words";
import { type Plan, refusalOf } from "./plan";
import { type Bodies, bodiesOf } from "./request";
import { outputsOf, type Rollout, type RolloutState, type Write } from "./state";

/** An update to carry out: its plan, and the bodies of its requests, apart and as one. They are empty if there is nothing to send. */
export interface Update extends Plan, Write, Bodies {}

export function plannedUpdate(call: Call, id: string, plan: Plan, profile = call.profile): Update {
  const bodies = bodiesOf(plan, profile);
  return { ...plan, call, id, ...bodies, body: laidOver(bodies.patch, bodies.revision) as Properties };
}

/** The same; throws a RefusedError if the plan must not be carried out. */
export function allowedUpdate(call: Call, id: string, plan: Plan): Update {
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  if (refusal !== undefined) throw call.refuse(refusal);
  return plannedUpdate(call, id, plan);
}

/** Whether the program wants the write to wait until the new revision runs. */
export function waits({ rollout }: Properties): boolean {
  return !(isProperties(rollout) && rollout.wait === false);
}

/** The rollout of a new revision before its first look. */
export const begun = (inputs: Properties): Rollout => ({
  status: undefined,
  state: waits(inputs) ? "unfinished" : "not awaited",
});

/** A rollout that nobody waits for. `revision`: the revision that the write made, as it was read. */
export function resting(olds: Properties, revision: Properties | undefined): Rollout {
  if (revision !== undefined) return { status: revision.status as string | undefined, state: "not awaited" };
  return {
    status: olds.latestRevisionStatus as string | undefined,
    state: (olds.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}

/** Does the work after a write. Turns an error into an UnfinishedError, which keeps the deployment in the state. */
export async function keeping<T>(write: Write, resource: Properties, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const { call, id } = write;
    const why = sentence((error as Error).message);
    const reason = `was written (id ${id}), but its rollout could not be followed: ${why} The next up resumes`;
    throw call.unfinished(id, unfinishedOutputs(write, resource), reason, error);
  }
}

/** The outputs so far. If the service's answer cannot be read, they are the recorded state and the inputs. */
function unfinishedOutputs(write: Write, resource: Properties): Properties {
  try {
    return outputsOf(write, resource, { status: undefined, state: "unfinished" });
  } catch {
    const { call, olds, news } = write;
    return { ...olds, ...news, rolloutState: "unfinished", serviceUrl: call.baseUrl };
  }
}
