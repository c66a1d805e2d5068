/** `create`: never a second deployment of a name. Looked up first, posted once, reconciled when the answer is lost. */
import { mayHaveBeenApplied } from "../client/errors";
import { sentence } from "../describe";
import { RefusedError } from "../failure";
import type { Properties } from "../fields/value";
import { urnOf } from "../identity";
import type { Service, Session } from "../service";
import { findAdoption, livingNamed } from "./adopt";
import { awaitRollout, labelOf, type Operation, settled, tell, waits } from "./finish";
import { createBody } from "./request";
import { outputsOf } from "./state";
import { carryOut } from "./update";

export interface Created {
  readonly id: string;
  readonly outputs: Properties;
}

export async function createDeployment(session: Session, inputs: Properties): Promise<Created> {
  const service = session.service(inputs.connection);
  const adoption = await findAdoption(inputs, service, session.predecessors.get(urnOf(inputs)));
  if (adoption !== undefined) {
    service.ours.add(adoption.id);
    const found = { body: {}, olds: {}, revisionId: adoption.resource.latest_revision_id };
    const { connection } = service;
    await tell(session, inputs, `takes over the existing deployment ${adoption.id}`);
    const recorded = outputsOf(
      inputs,
      adoption.resource,
      { status: undefined, state: "not awaited" },
      connection,
      found,
    );
    const olds = { ...recorded, ...adoption.olds, secrets: undefined };
    const operation = { session, service, kind: "create", id: adoption.id, inputs, told: found } as const;
    return { id: adoption.id, outputs: await carryOut(operation, olds, adoption.plan) };
  }
  const resource = await underItsName(inputs, service, () => post(session, service, inputs));
  const id = resource.id as string;
  service.ours.add(id);
  await service.directory.remember(resource);
  const told = { body: undefined, olds: {}, revisionId: resource.latest_revision_id ?? undefined };
  const operation: Operation = { session, service, kind: "create", id, inputs, told };
  if (waits(inputs)) return { id, outputs: await awaitRollout(operation, resource) };
  return { id, outputs: settled(operation, resource, { status: undefined, state: "not awaited" }) };
}

/** Creates once nobody has the name: neither the service, nor another resource of this run that is just creating it. */
async function underItsName<T>(inputs: Properties, service: Service, create: () => Promise<T>): Promise<T> {
  await refuseTakenName(inputs, service);
  const name = String(inputs.name);
  if (service.creating.has(name)) {
    throw new RefusedError(
      `${labelOf(inputs)}: another resource of this program is just creating a deployment named "${name}". Give each a name of its own`,
    );
  }
  service.creating.add(name);
  try {
    return await create();
  } finally {
    service.creating.delete(name);
  }
}

async function refuseTakenName(inputs: Properties, service: Service): Promise<void> {
  const found = await livingNamed(String(inputs.name), service);
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id).join(", ");
  throw new RefusedError(
    `${labelOf(inputs)}: a deployment named "${inputs.name}" exists already on ${service.connection.baseUrl} (id ${ids}). ` +
      `To manage it with this program, set adopt: "${found[0]?.id}"; else give another name`,
  );
}

/** How often and how far apart a deployment is looked for whose POST got no answer. */
const LOOKS = 4;
const BETWEEN_LOOKS_MS = 700;

async function post(session: Session, service: Service, inputs: Properties): Promise<Properties> {
  const before = new Set((await service.directory.named(String(inputs.name))).map(({ id }) => id));
  try {
    return (await service.endpoints.createDeployment(createBody(inputs, service.connection.profile)))
      .resource;
  } catch (error) {
    if (!mayHaveBeenApplied(error)) throw error;
    await tell(
      session,
      inputs,
      `it is not certain whether it was made (${(error as Error).message}); looking for it`,
    );
    return reconcile(session, service, inputs, before, error as Error);
  }
}

/** Finds what the POST made. It is not sent again: it may still be on its way. */
async function reconcile(
  session: Session,
  service: Service,
  inputs: Properties,
  before: ReadonlySet<unknown>,
  error: Error,
): Promise<Properties> {
  const name = String(inputs.name);
  for (let look = 0; look < LOOKS; look += 1) {
    await session.clock.sleep(BETWEEN_LOOKS_MS);
    const found = (await looked(inputs, service, error)).filter(({ id }) => !before.has(id));
    if (found.length > 1) {
      throw new RefusedError(
        `${labelOf(inputs)}: the answer to its creation was lost, and ${found.length} deployments named "${name}" have appeared (ids ${found.map(({ id }) => id).join(", ")}). ` +
          "Keep one, and set adopt to its id",
      );
    }
    if (found[0] !== undefined) return found[0];
  }
  throw new Error(
    `${sentence(error.message)} No deployment named "${name}" has appeared since: run up again, which looks for it before it creates one`,
    { cause: error },
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
