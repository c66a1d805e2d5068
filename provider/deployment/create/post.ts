/** The POST of a creation: sent once, and reconciled by look-up when its answer is lost. */

import type { Call } from "../../call";
import type { Properties } from "../../fields/value";
import { sentence } from "../../fields/words";
import type { Intent, Moment } from "../../journal/entry";
import { say } from "../../verdict/sentences";
import { creationIntent } from "../intent";
import { createBody } from "../request";
import { idsOf } from "./adopt";
import { whyNotOurs } from "./authorship";

/** How often to look for a deployment whose POST got no answer. */
const LOOKS = 4;

/** The deployment as the service answered it. `sendIfFree`: called before each try, to write it down while the name is free. */
export async function post(
  call: Call,
  inputs: Properties,
  sendIfFree: (beforeSending: () => Promise<void>) => Promise<void>,
): Promise<Properties> {
  const { endpoints, directory } = call.service;
  const name = String(inputs.name);
  const before = await directory.named(name);
  const intent = creationIntent(
    call,
    inputs,
    before.map(({ id }) => id as string),
  );
  const body = createBody(inputs, call.profile);
  return call.sendOnce<Properties>({
    journalled: { journal: call.run.creations, intent },
    send: async (beforeSending) =>
      (await endpoints.createDeployment(body, () => sendIfFree(beforeSending))).resource,
    noteOf: ({ id }) => ({ id: id as string }),
    lost: {
      looks: LOOKS,
      begin: (error) => call.tell(say.creationUncertain({ message: error.message })),
      find: (error, moment) => findMade(call, name, { ...intent, ...moment }, error),
      // It is not sent again: it may still be on its way.
      otherwise: (error) => {
        const words = `${sentence(error.message)} No deployment named "${name}" has appeared since: run up again, which looks for it before it creates one`;
        return new Error(words, { cause: error });
      },
    },
  });
}

/** What the POST has made, if it is there and provably that. */
async function findMade(
  call: Call,
  name: string,
  sent: Intent & Moment,
  error: Error,
): Promise<Properties | undefined> {
  const named = await freshlyNamed(call, name, error);
  const [made, ...others] = named.filter(({ id }) => !sent.known.includes(id as string));
  if (made === undefined) return undefined;
  if (others.length > 0) {
    const all = [made, ...others];
    throw call.refuse(
      `the answer to its creation was lost, and ${all.length} deployments named "${name}" have appeared (ids ${idsOf(all)}). Keep one, and set adopt to its id`,
    );
  }
  // Another stack may have taken the name at the same moment.
  const why = await whyNotOurs(call, sent, made);
  if (why !== undefined) {
    throw call.refuse(
      `the answer to its creation was lost, and a deployment named "${name}" has appeared that is not certain to be its own (id ${made.id}): ${why}. To manage it with this program, set adopt: "${made.id}"; else give another name`,
    );
  }
  await call.warn(
    `takes ${made.id} for what its lost request made: it is the only one that has appeared under this name since, with all that was sent`,
  );
  return made;
}

async function freshlyNamed(call: Call, name: string, lost: Error): Promise<Properties[]> {
  try {
    return await call.service.directory.freshlyNamed(name);
  } catch (error) {
    const [first, second] = [lost, error as Error].map(({ message }) => sentence(message));
    throw call.refuse(
      `it is not known whether it was made: ${first} Looking for it failed too: ${second} Run up again, which looks for it before it creates one`,
      error,
    );
  }
}
