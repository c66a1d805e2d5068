/** `create`: never a second deployment of a name. What an earlier run left is recovered, the name looked up, then posted once. */
import { RefusedError, UnfinishedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { urnOf } from "../../host/carried";
import type { Service, Session } from "../../service/session";
import { claim } from "../claim";
import { awaitRollout, labelOf, lost, type Operation, settled, tell, waits } from "../rollout/await";
import { outputsOf } from "../state";
import { carryOut } from "../update/carryOut";
import { type Adoption, findAdoption, livingNamed } from "./adopt";
import { post } from "./post";
import { recover } from "./recover";
import { takeOver } from "./takeOver";

export interface Created {
  readonly id: string;
  readonly outputs: Properties;
}

export async function createDeployment(session: Session, inputs: Properties): Promise<Created> {
  const service = session.service(inputs.connection);
  const { journal } = session;
  const [urn, serviceUrl] = [urnOf(inputs), service.connection.baseUrl];
  try {
    const created = await createOnce(session, service, inputs);
    journal.handedOver(urn, serviceUrl);
    return created;
  } catch (error) {
    // The engine keeps what an unfinished operation tells.
    if (error instanceof UnfinishedError) journal.handedOver(urn, serviceUrl);
    else journal.letGo(urn, serviceUrl);
    throw error;
  }
}

async function createOnce(session: Session, service: Service, inputs: Properties): Promise<Created> {
  const recovered = await recover(session, service, inputs);
  if (recovered !== undefined) return takeOver(session, service, inputs, recovered);
  const adoption = await findAdoption(inputs, service, session.predecessors.get(urnOf(inputs)));
  if (adoption !== undefined) {
    const adopted = await adopt(session, service, inputs, adoption);
    await session.journal.drop(urnOf(inputs), service.connection.baseUrl);
    return adopted;
  }
  const resource = await underItsName(inputs, service, () => post(session, service, inputs));
  const id = resource.id as string;
  service.ours.set(id, urnOf(inputs));
  const told = { body: undefined, olds: {}, revisionId: resource.latest_revision_id ?? undefined };
  const operation: Operation = { session, service, kind: "create", id, inputs, told };
  try {
    await service.directory.remember(resource);
    if (waits(inputs)) return { id, outputs: await awaitRollout(operation, resource) };
    return { id, outputs: settled(operation, resource, { status: undefined, state: "not awaited" }) };
  } catch (error) {
    throw lost(operation, resource, error);
  }
}

async function adopt(
  session: Session,
  service: Service,
  inputs: Properties,
  adoption: Adoption,
): Promise<Created> {
  const { id, resource, plan } = adoption;
  const { connection } = service;
  claim(service, id, inputs);
  const found = { body: {}, olds: {}, revisionId: resource.latest_revision_id };
  await tell(session, inputs, `takes over the existing deployment ${id}`);
  const resting = { status: undefined, state: "not awaited" } as const;
  const recorded = outputsOf(inputs, resource, resting, connection, found);
  const olds = { ...recorded, ...adoption.olds, secrets: undefined };
  const operation = { session, service, kind: "create", id, inputs, told: found } as const;
  return { id, outputs: await carryOut(operation, olds, plan) };
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
