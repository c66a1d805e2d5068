/** One creation of a name at a time: of this run, and of all runs on the machine that share the journal's folder. */
import type { Call } from "../../call";
import { ServiceError } from "../../client/errors";
import type { Properties } from "../../fields/value";
import type { Claim } from "../../journal/claims";
import { say } from "../../verdict/sentences";
import { nameKept } from "../intent";
import { idsOf, livingNamed } from "./adopt";
import { post } from "./post";

const TO_KEEP_IT =
  'If this program had it under another name or parent, say so with the option aliases: [{ name: "THE OLD NAME" }], and nothing is created.';

const LONGEST_PAUSE_MS = 300;
/** How often to try for the claim before the service is looked at. */
const TRIES_BETWEEN_LOOKS = 8;

/** Creates once nobody has the name: neither the service, nor whoever is just creating it. Throws a RefusedError. */
export async function createAlone(call: Call, inputs: Properties): Promise<Properties> {
  const name = String(inputs.name);
  refuseTaken(call, name, await livingNamed(call, name));
  const made = await call.service.fleet.createAlone(name, () => createClaimed(call, inputs, name));
  if (made !== undefined) return made;
  throw call.refuse(
    `another resource of this program is just creating a deployment named "${name}". Give each a name of its own`,
  );
}

async function createClaimed(call: Call, inputs: Properties, name: string): Promise<Properties> {
  const claim = await claimOf(call, inputs, name);
  let isSent = false;
  try {
    if (!claim.isFirst) await refuseFreshlyTaken(call, name);
    const made = await post(call, inputs, async (moment) => {
      await claim.renew(moment);
      isSent = true;
    });
    claim.release("made");
    return made;
  } catch (error) {
    // What may still arrive keeps the claim until it no longer can.
    if (!isSent || isCertain(error)) claim.release("not made");
    throw error;
  }
}

/** Whether the service has certainly done nothing. */
const isCertain = (error: unknown): boolean => error instanceof ServiceError && !error.mayHaveBeenApplied;

/** Waits for the claim, while another run on this machine has it. */
async function claimOf(call: Call, inputs: Properties, name: string): Promise<Claim> {
  const { claims, clock } = call.run;
  const claimed = { serviceUrl: call.baseUrl, name: nameKept(inputs, call.hidden) };
  for (let tries = 1; ; tries += 1) {
    const claim = claims.claim(claimed, clock.now());
    if (claim !== undefined) return tries === 1 ? claim : { ...claim, isFirst: false };
    if (tries === 1) await call.tell(say.nameIsClaimed({ name }));
    // At another moment than whoever else waits.
    await clock.sleep(LONGEST_PAUSE_MS * (0.3 + 0.7 * Math.random()));
    if (tries % TRIES_BETWEEN_LOOKS === 0) await refuseFreshlyTaken(call, name);
  }
}

async function refuseFreshlyTaken(call: Call, name: string): Promise<void> {
  const found = await call.service.directory.freshlyNamed(name);
  refuseTaken(
    call,
    name,
    found.filter(({ status }) => status !== "AWAITING_DELETE"),
  );
}

function refuseTaken(call: Call, name: string, found: readonly Properties[]): void {
  if (found.length === 0) return;
  throw call.refuse(
    `a deployment named "${name}" exists already on ${call.baseUrl} (id ${idsOf(found)}). ${TO_KEEP_IT} To manage it with this program for the first time, set adopt: "${found[0]?.id}"; else give another name`,
  );
}
