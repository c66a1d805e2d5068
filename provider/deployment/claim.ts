/** Which resource of the program manages a deployment: two would undo each other's changes, and destroy each other's. */

import type { Call } from "../call";
import { nameIn } from "../fields/urn";
import { plain } from "../fields/words";

/** Notes that the call's resource keeps the deployment. Throws a RefusedError where another one of the program does already. */
export function claim(call: Call, id: string): void {
  const keeper = call.service.fleet.claim(id, call.urn);
  if (keeper === undefined) return;
  throw call.refuse(
    `the deployment ${id} is managed by "${plain(nameIn(keeper))}" of this program already. Declare it once, or give the one to adopt another id`,
  );
}
