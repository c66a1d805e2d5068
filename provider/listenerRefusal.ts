/** Why the service did not create a listener, in words that say what to do. */
import { isConflict, isForbidden } from "./client/errors";
import { RefusedError } from "./failure";
import type { Properties } from "./fields/value";
import type { Service } from "./service/session";
import { plain, sentence } from "./verdict/describe";

/** The error of a creation, explained where it is a refusal. `listed`: the listeners that there are now. */
export function explainedCreation(
  error: unknown,
  label: string,
  inputs: Properties,
  service: Service,
  listed: readonly Properties[],
): unknown {
  if (!isForbidden(error) && !isConflict(error)) return error;
  const words = isForbidden(error) ? forbidden(inputs, service) : taken(inputs, service, listed);
  return new RefusedError(`${label}: ${words}. ${sentence(error.message)}`, { cause: error });
}

function forbidden({ computeId }: Properties, { connection }: Service): string {
  return (
    `${connection.baseUrl} does not allow this API key to create the listener with computeId "${plain(String(computeId))}": ` +
    "the plan of its workspace may have no listeners, or the key no right to make one. Change the plan, or give the key " +
    "of a workspace that may; or have it installed by somebody who may: the next up takes over what it finds"
  );
}

function taken(
  { computeType, computeId }: Properties,
  { connection }: Service,
  listed: readonly Properties[],
): string {
  const [type, id] = [computeType, computeId].map((each) => plain(String(each)));
  const other = listed.find((each) => each.compute_id === computeId);
  const found =
    other === undefined
      ? ", but it shows this API key none. Give another computeId, or the key (and workspace) that owns the listener"
      : `: the one with the id ${other.id}, whose computeType is "${plain(String(other.compute_type))}" and not "${type}". Give another computeId`;
  return `${connection.baseUrl} has a listener with computeId "${id}" already, which must be unique in a workspace${found}`;
}
