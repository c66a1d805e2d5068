/** The POST of a creation: journalled before it is sent, sent once, and reconciled by look-up when its answer is lost. */
import { mayHaveBeenApplied } from "../../client/errors";
import { RefusedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { type Intent, JournalConflict, type Moment } from "../../journal/journal";
import { momentOf } from "../../journal/moment";
import type { Service, Session } from "../../service/session";
import { sentence } from "../../verdict/describe";
import { intentOf, whyNotOurs } from "../intent";
import { createBody } from "../request";
import { conflicted, labelOf, tell, warn } from "../rollout/await";

/** How often and how far apart a deployment is looked for whose POST got no answer. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 700;

/** The deployment as the service answered it. */
export async function post(session: Session, service: Service, inputs: Properties): Promise<Properties> {
  const { journal, clock } = session;
  const before = await service.directory.named(String(inputs.name));
  const intent = intentOf(
    inputs,
    service,
    before.map(({ id }) => id as string),
  );
  let moment = momentOf(service, clock);
  try {
    const body = createBody(inputs, service.connection.profile);
    const { resource } = await service.endpoints.createDeployment(body, async () => {
      moment = momentOf(service, clock);
      await journal.sending(intent, moment);
    });
    await journal.made(intent.urn, intent.serviceUrl, resource.id as string);
    return resource;
  } catch (error) {
    if (error instanceof JournalConflict) throw conflicted(inputs, error);
    if (!mayHaveBeenApplied(error)) {
      await journal.drop(intent.urn, intent.serviceUrl);
      throw error;
    }
    const words = `it is not certain whether it was made (${(error as Error).message}); looking for it`;
    await tell(session, inputs, words);
    const resource = await reconcile(session, service, inputs, { ...intent, ...moment }, error as Error);
    await journal.made(intent.urn, intent.serviceUrl, resource.id as string);
    return resource;
  }
}

/** Finds what the POST made. It is not sent again: it may still be on its way. */
async function reconcile(
  session: Session,
  service: Service,
  inputs: Properties,
  sent: Intent & Moment,
  error: Error,
): Promise<Properties> {
  const name = String(inputs.name);
  for (let look = 0; look < LOOKS; look += 1) {
    await session.clock.sleep(BETWEEN_LOOKS_MS);
    const found = (await looked(inputs, service, error)).filter(
      ({ id }) => !sent.known.includes(id as string),
    );
    if (found.length > 1) {
      throw new RefusedError(
        `${labelOf(inputs)}: the answer to its creation was lost, and ${found.length} deployments named "${name}" have appeared (ids ${found.map(({ id }) => id).join(", ")}). ` +
          "Keep one, and set adopt to its id",
      );
    }
    if (found[0] !== undefined) return provenOurs(session, service, inputs, sent, found[0]);
  }
  throw new Error(
    `${sentence(error.message)} No deployment named "${name}" has appeared since: run up again, which looks for it before it creates one`,
    { cause: error },
  );
}

/** Another stack may have taken the name at the same moment. */
async function provenOurs(
  session: Session,
  service: Service,
  inputs: Properties,
  sent: Intent & Moment,
  resource: Properties,
): Promise<Properties> {
  const why = await whyNotOurs(session, service, sent, resource);
  if (why === undefined) {
    const words = `takes ${resource.id} for what its lost request made: it is the only one that has appeared under this name since, with all that was sent`;
    await warn(session, inputs, words);
    return resource;
  }
  throw new RefusedError(
    `${labelOf(inputs)}: the answer to its creation was lost, and a deployment named "${inputs.name}" has appeared that is not certain to be its own (id ${resource.id}): ${why}. ` +
      `To manage it with this program, set adopt: "${resource.id}"; else give another name`,
  );
}

async function looked(inputs: Properties, service: Service, lost: Error): Promise<Properties[]> {
  try {
    return await service.directory.freshlyNamed(String(inputs.name));
  } catch (error) {
    throw new Error(
      `${labelOf(inputs)}: it is not known whether it was made: ${sentence(lost.message)} Looking for it failed too: ` +
        `${sentence((error as Error).message)} Run up again, which looks for it before it creates one`,
      { cause: error },
    );
  }
}
