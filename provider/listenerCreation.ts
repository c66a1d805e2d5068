/** The POST of a listener, where the profile has it: journalled, sent once, looked for when its answer is lost. */
import { mayHaveBeenApplied } from "./client/errors";
import { RefusedError } from "./failure";
import type { Properties } from "./fields/value";
import { hiddenIn, programName, urnOf } from "./host/carried";
import { type Intent, JournalConflict } from "./journal/journal";
import { lookUntil, momentOf } from "./journal/moment";
import type { Service, Session } from "./service/session";
import { plain, sentence } from "./verdict/describe";

/** The listener with the compute type and id of the program, as the service has it now. */
export type Look = () => Promise<Properties | undefined>;

const LOOKS = 4;
const BETWEEN_LOOKS_MS = 700;

export const labelOf = (properties: Properties): string => `listener "${plain(programName(properties))}"`;

/** What an interrupted run may have made, or may still be making; undefined when the way to a creation is free. */
export async function madeBefore(
  session: Session,
  service: Service,
  inputs: Properties,
  look: Look,
): Promise<Properties | undefined> {
  const { journal, clock } = session;
  const [urn, serviceUrl] = [urnOf(inputs), service.connection.baseUrl];
  const found = await journal.find(urn, serviceUrl);
  if (found === undefined) return undefined;
  const latest = momentOf(service, clock).overAt;
  const overAt = "reason" in found.entry ? latest : Math.min(found.entry.overAt, latest);
  if (clock.now() < overAt) {
    const words = `${labelOf(inputs)}: an earlier run was interrupted while it created it, and its request may still arrive (journal: ${found.file})`;
    await session.reporter.info(urn, words).catch(() => undefined);
  }
  const listener = await lookUntil(clock, overAt, look);
  await journal.drop(urn, serviceUrl);
  return listener;
}

export async function postListener(
  session: Session,
  service: Service,
  inputs: Properties,
  body: Properties,
  look: Look,
): Promise<Properties> {
  const { journal, clock } = session;
  const intent = intentOf(inputs, service);
  const { urn, serviceUrl } = intent;
  try {
    const { resource } = await service.endpoints.createListener(body, () =>
      journal.sending(intent, momentOf(service, clock)),
    );
    await journal.made(urn, serviceUrl, resource.id as string);
    return resource;
  } catch (error) {
    if (error instanceof JournalConflict)
      throw new RefusedError(`${labelOf(inputs)}: ${error.message}, so nothing was sent. Run up again`);
    if (!mayHaveBeenApplied(error)) {
      await journal.drop(urn, serviceUrl);
      throw error;
    }
    const resource = await lookAgain(session, look);
    if (resource !== undefined) {
      await journal.made(urn, serviceUrl, resource.id as string);
      return resource;
    }
    journal.letGo(urn, serviceUrl);
    throw new Error(
      `${labelOf(inputs)}: ${sentence((error as Error).message)} It has not appeared since: run up again, which looks for it before it creates one`,
      { cause: error },
    );
  }
}

function intentOf(inputs: Properties, service: Service): Intent {
  return {
    urn: urnOf(inputs),
    serviceUrl: service.connection.baseUrl,
    kind: "listener",
    name: hiddenIn(inputs)("computeId") ? "" : `${inputs.computeType} ${inputs.computeId}`,
    sent: {},
    secretNames: [],
    known: [],
  };
}

async function lookAgain({ clock }: Session, look: Look): Promise<Properties | undefined> {
  for (let left = LOOKS; left > 0; left -= 1) {
    await clock.sleep(BETWEEN_LOOKS_MS);
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
