/** The values and refusals of a program's resources, for the assertions of a test. */
import * as pulumi from "@pulumi/pulumi";
import { separateMarks } from "../../provider/engine/marks";
import { hasUnknown } from "../../provider/schema/value";

const waiting = new Set<(refusal: Error) => void>();

/**
 * Rejects every value that a test is waiting for, and returns whether a test is waiting. If a test is waiting, the
 * caller must not pass the refusal to Pulumi's SDK, because the SDK would also reject outputs that have no handler.
 */
export function rejectWaiting(refusal: Error): boolean {
  for (const fail of waiting) fail(refusal);
  return waiting.size > 0;
}

function untilRefused<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.add(reject);
    work()
      .then(resolve, reject)
      .finally(() => waiting.delete(reject));
  });
}

/**
 * The value of an output, without marks of secrets. Rejects with the plan's words if a resource is refused while the
 * test waits. Rejects if the value is unknown in a preview.
 */
export function valueOf<T>(output: pulumi.Input<T>): Promise<T> {
  return untilRefused(async () => {
    const { value } = separateMarks(
      await pulumi.runtime.serializeProperties("valueOf", { value: output }),
    ).values;
    if (hasUnknown(value))
      throw new Error("the value is unknown in a preview: only an update makes it known");
    return value as T;
  });
}

/**
 * The words with which the plan refuses the resource or look-up that `declare` returns. Rejects if the plan refuses
 * nothing.
 */
export async function refusalOf(declare: () => unknown): Promise<string> {
  const words = await untilRefused(async () => {
    const resource = await declare();
    await valueOf(pulumi.Resource.isInstance(resource) ? resource.urn : resource);
  }).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  if (words === undefined) throw new Error("nothing was refused");
  return words;
}
