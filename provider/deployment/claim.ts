/** Which resource of the program manages a deployment: two would undo each other's changes, and destroy each other's. */

import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";
import { programName, URN, urnOf } from "../host/carried";
import type { Service } from "../service/session";
import { plain } from "../verdict/describe";
import { labelOf } from "./rollout/await";

/** Notes that the resource keeps the deployment. Throws a RefusedError where another one of the program does already. */
export function claim(service: Service, id: string, inputs: Properties): void {
  const [urn, other] = [urnOf(inputs), service.ours.get(id)];
  if (other !== undefined && other !== urn) {
    throw new RefusedError(
      `${labelOf(inputs)}: the deployment ${id} is managed by "${plain(programName({ [URN]: other }))}" of this program already. ` +
        "Declare it once, or give the one to adopt another id",
    );
  }
  service.ours.set(id, urn);
}
