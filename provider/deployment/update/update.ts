/** `update`: first resolves what the last update left in doubt, then carries out the plan. */
import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import { planUpdate } from "../plan";
import { carryOut } from "./carryOut";
import { doubtAbout } from "./interrupted";
import { updateOf } from "./plannedUpdate";
import { resume } from "./resume";

/** The new outputs of the deployment. */
export async function updateDeployment(
  call: Call,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  const update = updateOf(call, id, planUpdate(olds, news, call.profile, call));
  return call.reporting(call.run.updates, async () => {
    const doubt = await doubtAbout(update);
    return doubt === undefined ? carryOut(update) : resume(update, doubt);
  });
}
