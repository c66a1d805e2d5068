/** `update`: first resolves what the last update left in doubt, then carries out the plan. */
import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import { type Plan, planUpdate } from "../plan";
import { carryOut } from "./carryOut";
import { doubtAbout } from "./interrupted";
import { type Update, updateOf, withBody } from "./plannedUpdate";
import { resume } from "./resume";

/** The new outputs of the deployment. */
export async function updateDeployment(
  call: Call,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  return once(updateOf(call, id, planUpdate(olds, news, call.profile, call)));
}

/**
 * Carries out the plan of an adoption, or of what an interrupted creation made. `resource`: the deployment as it was just
 * read.
 */
export function applyTo(call: Call, id: string, plan: Plan, resource?: Properties): Promise<Properties> {
  return once(withBody(call, id, plan), resource);
}

function once(update: Update, resource?: Properties): Promise<Properties> {
  const { call } = update;
  return call.reporting(call.run.updates, async () => {
    const doubt = await doubtAbout(update);
    return doubt === undefined ? carryOut(update, resource) : resume(update, doubt);
  });
}
