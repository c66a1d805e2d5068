/** Listener: taken over by its compute type and id, or created where the profile can; then kept as the program says. */

import { isConflict, isNotFound } from "./client/errors";
import { RefusedError } from "./failure";
import { faultInWords, faultsIn } from "./fields/check";
import { listenerIdRow, listenerOutputRows, listenerRows } from "./fields/listener";
import { isAbsent, isProperties, type Properties } from "./fields/value";
import { everyArgumentFromWire, everyRowFromWire, rowsFromWire, rowsToWire, toPatch } from "./fields/wire";
import { carriedIn, givenIn, hiddenIn, PROFILE_IN_USE, READ_ONLY, urnOf } from "./host/carried";
import { type Look, labelOf, madeBefore, postListener } from "./listenerCreation";
import { listenerArguments, planListener } from "./listenerPlan";
import { explainedCreation } from "./listenerRefusal";
import type { Resource } from "./resource";
import type { Service, Session } from "./service/session";
import { changesBetween } from "./verdict/changes";
import { describeChanges, describeVerdict } from "./verdict/describe";

const sentPart = (properties: Properties): Properties => {
  const { computeConfig, version } = listenerArguments(properties);
  return { ...(isAbsent(computeConfig) ? {} : { computeConfig }), ...(isAbsent(version) ? {} : { version }) };
};

async function allListeners(service: Service): Promise<Properties[]> {
  const listeners: Properties[] = [];
  for await (const page of service.endpoints.listListeners()) listeners.push(...page);
  return listeners;
}

function outputsOf(inputs: Properties, resource: Properties, service: Service): Properties {
  const { profile, baseUrl } = service.connection;
  return { ...inputs, ...everyRowFromWire(listenerOutputRows, resource, profile), serviceUrl: baseUrl };
}

const sentRows = { computeConfig: listenerRows.computeConfig, version: listenerRows.version } as const;

/** The body of a PATCH from what the service or the state has to what the program says; undefined when nothing differs. */
function patchBody(before: Properties, after: Properties, service: Service): Properties | undefined {
  const { profile } = service.connection;
  const [from, to] = [sentPart(before), sentPart(after)];
  const changed = changesBetween(sentRows, from, to, profile)
    .filter(({ effect }) => effect !== "kept")
    .map(({ path }) => path.split(".")[0]);
  const body: Properties = {};
  for (const [name, field] of Object.entries(sentRows)) {
    if (!changed.includes(name)) continue;
    const value = isAbsent(to[name]) && field.group ? {} : to[name];
    body[field.wire as string] = toPatch(field.kind, from[name], value, profile, name);
  }
  return Object.keys(body).length === 0 ? undefined : body;
}

interface Created {
  readonly id: string;
  readonly outputs: Properties;
}

async function create(session: Session, inputs: Properties): Promise<Created> {
  const service = session.service(inputs.connection);
  const listeners = await allListeners(service);
  const found = matching(listeners, inputs);
  if (found !== undefined) return takeOver(session, service, inputs, found);
  if (!service.connection.profile.capabilities.createListener) throw cannotCreate(service, inputs, listeners);
  const look = async (): Promise<Properties | undefined> => matching(await allListeners(service), inputs);
  const made = await madeBefore(session, service, inputs, look);
  return made === undefined ? post(session, service, inputs, look) : takeOver(session, service, inputs, made);
}

const matching = (listeners: readonly Properties[], inputs: Properties): Properties | undefined =>
  listeners.find((each) => each.compute_type === inputs.computeType && each.compute_id === inputs.computeId);

async function takeOver(
  session: Session,
  service: Service,
  inputs: Properties,
  found: Properties,
): Promise<Created> {
  const id = found.id as string;
  await session.reporter.info(urnOf(inputs), `${labelOf(inputs)}: takes over the existing listener ${id}`);
  const body = patchBody(managed(inputs, found, service), inputs, service);
  const resource = body === undefined ? found : (await service.endpoints.updateListener(id, body)).resource;
  service.ours.set(id, urnOf(inputs));
  return { id, outputs: outputsOf(inputs, resource, service) };
}

function cannotCreate(service: Service, inputs: Properties, listeners: readonly Properties[]): RefusedError {
  const { profile, baseUrl } = service.connection;
  const known = listeners.map((each) => `${each.compute_type} ${each.compute_id}`).join(", ");
  return new RefusedError(
    `${labelOf(inputs)}: ${baseUrl} has no listener with computeType "${inputs.computeType}" and computeId "${inputs.computeId}", and this service cannot create one ` +
      `(profile "${profile.name}"). Install the listener on that infrastructure first; known are: ${known === "" ? "none" : known}`,
  );
}

async function post(session: Session, service: Service, inputs: Properties, look: Look): Promise<Created> {
  const body = rowsToWire(listenerRows, listenerArguments(inputs), service.connection.profile);
  try {
    const resource = await postListener(session, service, inputs, { compute_config: {}, ...body }, look);
    service.ours.set(resource.id as string, urnOf(inputs));
    await session.reporter
      .info(urnOf(inputs), `${labelOf(inputs)}: created, id ${resource.id}`)
      .catch(() => undefined);
    const outputs = outputsOf(inputs, resource, service);
    session.journal.handedOver(urnOf(inputs), service.connection.baseUrl);
    return { id: resource.id as string, outputs };
  } catch (error) {
    // Somebody may have made it since it was looked for.
    const listeners = isConflict(error) ? await allListeners(service) : [];
    const found = matching(listeners, inputs);
    if (found !== undefined) return takeOver(session, service, inputs, found);
    throw explainedCreation(error, labelOf(inputs), inputs, service, listeners);
  }
}

/** What the service has of what the program manages. */
function managed(state: Properties, resource: Properties, service: Service): Properties {
  const live = rowsFromWire(listenerRows, resource, service.connection.profile);
  const part: Properties = { ...state };
  if (!isAbsent(state.version)) part.version = live.version;
  if (isProperties(state.computeConfig) && isProperties(live.computeConfig))
    part.computeConfig = live.computeConfig;
  return part;
}

export const listener: Resource = {
  reported: Object.keys(listenerOutputRows),

  async check(session, olds, news) {
    const { profileInUse } = session.serviceFor(olds, news);
    const { [PROFILE_IN_USE]: _computed, ...args } = givenIn(news);
    const faults = faultsIn(listenerRows, args, hiddenIn(news));
    const inputs = {
      ...carriedIn(news),
      ...(profileInUse === undefined ? {} : { [PROFILE_IN_USE]: profileInUse }),
      ...listenerArguments(args),
    };
    return { inputs, failures: faults.map(faultInWords) };
  },

  async diff(session, id, olds, news, planned) {
    session.confirm(id, olds);
    const service = session.serviceOfDiff(olds, news, planned);
    const { changes, verdict } = planListener(olds, news, service.connection.profile);
    if (planned && changes.length > 0) {
      const words = describeVerdict(verdict, changes, hiddenIn(olds, news)).replace(", no new revision", "");
      const fate = verdict === "replace" ? `; the old one stays, id ${id}` : "";
      await session.reporter.info(urnOf(news), `${labelOf(news)}: ${words}${fate}`);
      if (verdict === "replace" && olds.onDestroy === "fail") {
        throw new RefusedError(
          `${labelOf(news)}: onDestroy is "fail", which forbids the replacement (${describeChanges(changes, hiddenIn(olds, news))})`,
        );
      }
    }
    const replaces = changes
      .filter(({ effect }) => effect === "replace")
      .map(({ path }) => path.split(".")[0] as string);
    return { changes: changes.length > 0, replaces };
  },

  create,

  async read(session, id, state) {
    session.confirm(id, state);
    const service = session.serviceOf(state);
    const resource = (await allListeners(service)).find((each) => each.id === id);
    if (resource === undefined && state[READ_ONLY] === true) {
      throw new RefusedError(`Listener.get: ${service.connection.baseUrl} has no listener with the id ${id}`);
    }
    if (resource === undefined) return { id: undefined };
    if (state[READ_ONLY] === true) {
      const all = { ...listenerRows, id: listenerIdRow };
      const args = everyArgumentFromWire(all, resource, service.connection.profile);
      return { id, outputs: outputsOf({ ...state, ...args }, resource, service) };
    }
    const current = managed(state, resource, service);
    const inputs = Object.fromEntries(
      Object.entries(current).filter(([name]) => Object.hasOwn(listenerRows, name) || name.startsWith("__")),
    );
    return { id, outputs: outputsOf(current, resource, service), inputs };
  },

  async update(session, id, olds, news) {
    const service = session.serviceOf(olds);
    const body = patchBody(olds, news, service);
    const kept = Object.fromEntries(Object.keys(listenerOutputRows).map((name) => [name, olds[name]]));
    if (body === undefined) return { ...kept, ...news, serviceUrl: service.connection.baseUrl };
    return outputsOf(news, (await service.endpoints.updateListener(id, body)).resource, service);
  },

  async delete(session, id, state) {
    session.confirm(id, state);
    const service = session.serviceOf(state);
    if (state.onDestroy === "fail") {
      throw new RefusedError(
        `${labelOf(state)}: onDestroy is "fail": the listener ${id} is not to be destroyed. Apply another onDestroy first (pulumi up)`,
      );
    }
    if (
      state.onDestroy === "delete" &&
      service.connection.profile.capabilities.deleteListener &&
      !service.ours.has(id)
    ) {
      return service.endpoints.deleteListener(id).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
    await session.reporter.warn(
      urnOf(state),
      `${labelOf(state)}: leaves the listener as it is on ${service.connection.baseUrl} (id ${id})`,
    );
  },
};
