/** One create or update of a deployment, from its first request on. */
import type { Call } from "../call";
import { UnfinishedError } from "../failure";
import { isProperties, type Properties } from "../fields/value";
import { sentence } from "../fields/words";
import { type Applied, outputsOf, type Rollout, type RolloutState } from "./state";

export interface Operation extends Applied {
  readonly call: Call;
  readonly id: string;
}

/** Whether the program wants the operation to wait until the new revision runs. */
export function waits({ rollout }: Properties): boolean {
  return !(isProperties(rollout) && rollout.wait === false);
}

/** The rollout of a new revision before its first look. */
export const begun = (inputs: Properties): Rollout => ({
  status: undefined,
  state: waits(inputs) ? "unfinished" : "not awaited",
});

/** A rollout that nobody waits for. `revision`: the one that the operation made, if it was read. */
export function resting({ olds }: Operation, revision: Properties | undefined): Rollout {
  if (revision !== undefined) return { status: revision.status as string | undefined, state: "not awaited" };
  return {
    status: olds.latestRevisionStatus as string | undefined,
    state: (olds.rolloutState as RolloutState | undefined) ?? "not awaited",
  };
}

/** The outputs once nothing is left to wait for. */
export function settled(operation: Operation, resource: Properties, rollout: Rollout): Properties {
  return outputsOf(operation.call, operation, resource, rollout);
}

/** Does the work after a write. An error must not lose the deployment: it becomes an UnfinishedError with what is known. */
export async function keeping<T>(
  operation: Operation,
  resource: Properties,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnfinishedError) throw error;
    const { call, id } = operation;
    const why = sentence((error as Error).message);
    const reason = `was written (id ${id}), but its rollout could not be followed: ${why} The next up resumes`;
    throw call.unfinished(id, whatIsKnown(operation, resource), reason, error);
  }
}

/** If the service's answer cannot be read, the recorded state and the inputs must do. */
function whatIsKnown(operation: Operation, resource: Properties): Properties {
  try {
    return settled(operation, resource, { status: undefined, state: "unfinished" });
  } catch {
    const { call, olds, inputs } = operation;
    return { ...olds, ...inputs, rolloutState: "unfinished", serviceUrl: call.baseUrl };
  }
}
