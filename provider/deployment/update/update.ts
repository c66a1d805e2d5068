/** `update`: what the last one has left in doubt is looked for first, then the plan is carried out. */
import { RefusedError, UnfinishedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { urnOf } from "../../host/carried";
import type { Session } from "../../service/session";
import { planUpdate, refusalOf } from "../plan";
import type { Operation } from "../rollout/await";
import { isDoubtful } from "../state";
import { carryOut } from "./carryOut";
import { doubtAbout } from "./interrupted";
import { carryOutInDoubt } from "./resume";

/** The new outputs of the deployment. */
export async function updateDeployment(
  session: Session,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  const service = session.serviceOf(olds);
  const { profile, newRevisions, baseUrl } = service.connection;
  const plan = planUpdate(olds, news, profile);
  const refusal = refusalOf(plan, olds, news, profile, newRevisions);
  if (refusal !== undefined) throw new RefusedError(refusal);
  const told = { body: {}, olds, revisionId: undefined };
  const operation: Operation = { session, service, kind: "update", id, inputs: news, told };
  try {
    const doubt = await doubtAbout(operation, olds, plan);
    const outputs = await (doubt === undefined
      ? carryOut(operation, olds, plan)
      : carryOutInDoubt(operation, olds, plan, doubt));
    session.updates.handedOver(urnOf(news), baseUrl);
    return outputs;
  } catch (error) {
    // The engine keeps what an unfinished operation tells; one in doubt tells nothing of what was sent.
    if (error instanceof UnfinishedError && !isDoubtful(error.properties))
      session.updates.handedOver(urnOf(news), baseUrl);
    else session.updates.letGo(urnOf(news), baseUrl);
    throw error;
  }
}
