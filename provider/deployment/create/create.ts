/**
 * Creates a deployment, and never two with the same name. First recovers a creation that an earlier run left
 * unfinished, then looks up the name, and then sends one POST.
 */
import type { Call, Created } from "../../call";
import { isConflict } from "../../client/errors";
import { format } from "../../diff/sentences";
import { RefusedError } from "../../failure";
import type { Tried } from "../../journal/resolve";
import { nameIn } from "../../schema/naming";
import type { Inputs } from "../../schema/recorded";
import { printable } from "../../schema/secrecy";
import type { Properties } from "../../schema/value";
import { sentence } from "../../schema/words";
import { applyTo } from "../apply";
import { creationIntent } from "../intent";
import { createBody, isEmpty, laterBody, postedPart } from "../request";
import { awaitRollout } from "../rollout/await";
import { deploymentOutputs, keepOnFailure, newRollout, rolloutSeconds, type Write, waits } from "../state";
import { adoptIfAsked } from "./adopt";
import { observeCreation, takeOverUnfinished, unclear } from "./recover";

export async function createDeployment(call: Call, inputs: Inputs): Promise<Created> {
  const takenOver = await takeOverUnfinished(call, inputs);
  if (takenOver !== undefined) return { id: takenOver.id, outputs: await applyTo(call, takenOver) };
  const adoption = await adoptIfAsked(call, inputs);
  if (adoption === undefined) return create(call, inputs);
  const outputs = await applyTo(call, adoption);
  await call.run.journal.drop(call.key("create"));
  return { id: adoption.id, outputs };
}

async function create(call: Call, inputs: Inputs): Promise<Created> {
  refuseBegunElsewhere(call, String(inputs.name));
  await refuseTaken(call, String(inputs.name));
  const posted = postedPart(inputs);
  const body = createBody(inputs, call.profile);
  const deployment = await post(call, posted, body);
  const id = deployment.id as string;
  const write = { call, id, state: {}, inputs, body };
  const resource = await sendLaterArguments({ ...write, inputs: posted }, inputs, deployment);
  const outputs = await keepOnFailure(write, resource, async () => {
    call.service.fleet.keepers.claim(id, call.urn);
    call.service.directory.remember(resource);
    return waits(inputs)
      ? awaitRollout(write, resource)
      : deploymentOutputs(write, resource, newRollout(inputs));
  });
  return { id, outputs };
}

/** Sends the inputs that a POST does not take. If the request fails, the next update sends these inputs. */
async function sendLaterArguments(write: Write, inputs: Inputs, deployment: Properties): Promise<Properties> {
  const { call, id } = write;
  const body = laterBody(inputs, call.profile);
  if (isEmpty(body)) return deployment;
  call.run.door.permit("creation", id);
  try {
    return await call.service.endpoints.updateDeployment(id, body);
  } catch (error) {
    const why = sentence((error as Error).message);
    const words = `was created (id ${id}), but its ${Object.keys(body).join(", ")} could not be set: ${why} The next update sets it`;
    throw call.unfinished(id, deploymentOutputs(write, deployment, newRollout(inputs)), words, error);
  }
}

/** Throws a RefusedError if an earlier run began a creation with this name for a different resource of the stack. */
function refuseBegunElsewhere(call: Call, name: string): void {
  const { clock, journal } = call.run;
  const now = clock.now();
  const creation = journal.creationElsewhere(call.key("create"), name, now);
  if (creation !== undefined)
    throw call.refuse(
      `an interrupted creation of "${name}" by "${printable(nameIn(creation.urn))}" may still arrive. Run up again in ${Math.ceil((creation.expiresAt - now) / 1000)} s, or give the resource that name again`,
    );
}

/** Throws a RefusedError if a deployment on the service already has the name. */
async function refuseTaken(call: Call, name: string): Promise<void> {
  const living = await call.service.directory.named(name);
  if (living.length === 0) return;
  const predecessor = call.run.planned.predecessorOf(call.urn);
  if (living.some(({ id }) => id === predecessor))
    throw call.refuse(
      `the old deployment ${predecessor} still has the name "${name}": an option such as retainOnDelete kept it. Change name too, or run \`pulumi state delete\` on this resource and set adopt to that id`,
    );
  // The message proposes to adopt the deployment, so nothing in this run may delete the deployment.
  for (const { id } of living) call.service.fleet.keepers.claim(id as string, call.urn);
  const ids = living.map(({ id }) => `"${id}"`).join(" or ");
  throw call.refuse(
    `a deployment named "${name}" exists already on ${call.baseUrl}. Change name, or set adopt: ${ids} to manage it`,
  );
}

/** Looks up the name again, because somebody may have taken the name while the request waited for a slot or a retry. */
async function refuseTakenMeanwhile(call: Call, name: string): Promise<void> {
  try {
    await refuseTaken(call, name);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    // A failed look-up must not count as a failed POST, because a failed POST may still have been applied.
    throw call.refuse(`nothing was created: ${(error as Error).message}`, error);
  }
}

/** Sends the POST. Returns the deployment that the service made. */
async function post(call: Call, inputs: Inputs, body: Properties): Promise<Properties> {
  const { endpoints, directory } = call.service;
  const name = String(inputs.name);
  const before = await directory.alike(name);
  call.run.door.permit("creation", name);
  const { answer } = await call.carry<Properties>({
    intent: creationIntent(
      call,
      inputs,
      before.map(({ id }) => id as string),
    ),
    send: (beforeSending) =>
      onceFree(call, inputs, () =>
        endpoints.createDeployment(body, async () => {
          // `beforeSending` must run first, because it throws if another run has an attempt. If the name were refused
          // first, the refusal would drop the other run's attempt.
          await beforeSending();
          if (directory.knowsNames) return;
          await refuseTakenMeanwhile(call, name);
          await beforeSending();
        }),
      ),
    noteOf: ({ id }) => id as string,
    find: (tried) => findCreated(call, inputs, tried),
    inDoubt: (failure) => call.creationInDoubt(failure),
  });
  return answer;
}

const NAME_PAUSE_MS = 10_000;

/** Repeats the request while the service still reserves the name for the old deployment, which this run has deleted. */
async function onceFree<T>(call: Call, inputs: Inputs, send: () => Promise<T>): Promise<T> {
  const { clock, planned } = call.run;
  const end = clock.now() + rolloutSeconds(call, inputs) * 1000;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!planned.get(call.urn)?.deletesFirst || !isConflict(error) || clock.now() >= end) throw error;
      await call.tell(format.nameIsTaken({ seconds: NAME_PAUSE_MS / 1000 }));
      await clock.sleep(NAME_PAUSE_MS);
    }
  }
}

/** The deployment that the POST provably made; undefined while no new deployment has the name. */
async function findCreated(call: Call, inputs: Inputs, tried: Tried): Promise<Properties | undefined> {
  const { deployments, finding } = await observeCreation(call, inputs, tried);
  if (finding.kind === "unclear") throw unclear(call, inputs, deployments, finding.because);
  if (finding.kind !== "applied") return undefined;
  const [deployment] = deployments;
  await call.warn(
    `takes over ${printable(String(deployment?.id))} as the deployment that its lost request made: ${finding.because}`,
  );
  return deployment;
}
