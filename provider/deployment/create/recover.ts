/**
 * A creation that an earlier run has begun and not seen to its end, found again by the journal: what it provably made
 * is taken over, what is in doubt is refused, and it is made again only when its request can no longer arrive.
 */
import { RefusedError } from "../../failure";
import type { Properties } from "../../fields/value";
import { urnOf } from "../../host/carried";
import { type Entry, MEMORY_MS, type Unreadable } from "../../journal/journal";
import { lookUntil, momentOf } from "../../journal/moment";
import type { Service, Session } from "../../service/session";
import { whyNotOurs } from "../intent";
import { labelOf, tell, warn } from "../rollout/await";
import { adoptionAsked } from "./adopt";

interface Recovery {
  readonly session: Session;
  readonly service: Service;
  readonly inputs: Properties;
  readonly file: string;
}

/** What an interrupted creation made, with why it is certain. */
export interface Recovered {
  readonly resource: Properties;
  readonly entry: Entry;
  readonly because: string;
}

/** Undefined when nothing is left of an earlier run, and the way to a creation is free. Throws a RefusedError. */
export async function recover(
  session: Session,
  service: Service,
  inputs: Properties,
): Promise<Recovered | undefined> {
  const found = await session.journal.find(urnOf(inputs), service.connection.baseUrl);
  if (found === undefined) return undefined;
  const recovery = { session, service, inputs, file: found.file };
  const entry = named(found.entry, inputs);
  if ("reason" in entry) return afterUnreadable(recovery, entry);
  return entry.id === undefined ? byItsTrace(recovery, entry) : byItsId(recovery, entry, entry.id);
}

/** The journal keeps no name that is secret: it is taken to be the one that the program still gives. */
function named<E extends Entry | Unreadable>(entry: E, inputs: Properties): E {
  return "name" in entry && entry.name === "" ? { ...entry, name: String(inputs.name) } : entry;
}

async function byItsId(recovery: Recovery, entry: Entry, id: string): Promise<Recovered | undefined> {
  const { session, service, inputs } = recovery;
  if (session.clock.now() - entry.sentAt > MEMORY_MS) {
    // Whether a state has held it since is no longer known: the look-up of the name decides.
    await forget(recovery);
    return undefined;
  }
  const resource = id === session.predecessors.get(entry.urn) ? undefined : await service.directory.fresh(id);
  if (resource === undefined || resource.status === "AWAITING_DELETE") {
    if (id !== session.predecessors.get(entry.urn))
      await tell(session, inputs, `an earlier run made ${id}, which the service no longer has`);
    await forget(recovery);
    return undefined;
  }
  if (resource.name !== entry.name)
    throw refusal(recovery, [resource], `its name is "${resource.name}", not "${entry.name}"`);
  if (entry.name !== inputs.name) throw renamed(recovery, resource);
  return { resource, entry, because: "its answer had come" };
}

/** No answer is noted: what has appeared under the name since is judged. */
async function byItsTrace(recovery: Recovery, entry: Entry): Promise<Recovered | undefined> {
  const { session, inputs } = recovery;
  const { clock } = session;
  const started = clock.now();
  const overAt = Math.min(entry.overAt, started + entry.overAt - entry.sentAt);
  let told = started >= overAt;
  const judged = await lookUntil(clock, overAt, async () => {
    const found = await judge(recovery, entry, await appeared(recovery, entry.name, entry.known));
    if (found === undefined && !told) {
      told = true;
      const seconds = Math.ceil((overAt - started) / 1000);
      const words = `an earlier run was interrupted while it created "${entry.name}", and its request may still arrive: waiting ${seconds} s at most`;
      await tell(session, inputs, words);
    }
    return found;
  });
  if (judged === "left to adopt") return undefined;
  if (judged !== undefined) return judged;
  await tell(session, inputs, "what an earlier run was interrupted at has made nothing; creating it now");
  await forget(recovery);
  return undefined;
}

async function appeared(
  { session, service, inputs }: Recovery,
  name: string,
  known: readonly string[],
): Promise<Properties[]> {
  const predecessor = session.predecessors.get(urnOf(inputs));
  return (await service.directory.freshlyNamed(name)).filter(
    ({ id, status }) => status !== "AWAITING_DELETE" && id !== predecessor && !known.includes(id as string),
  );
}

async function judge(
  recovery: Recovery,
  entry: Entry,
  found: readonly Properties[],
): Promise<Recovered | "left to adopt" | undefined> {
  const { session, service, inputs } = recovery;
  const [resource] = found;
  if (resource === undefined) return undefined;
  // Who names what to take over has looked himself.
  if (asksFor(recovery, found)) {
    for (const each of found) await service.directory.remember(each);
    return "left to adopt";
  }
  if (found.length > 1) throw refusal(recovery, found, `${found.length} have appeared since`);
  const why = await whyNotOurs(session, service, entry, resource);
  if (why === undefined) {
    if (entry.name !== inputs.name) throw renamed(recovery, resource);
    const because = "it is the only one that has appeared under this name since, with all that was sent then";
    return { resource, entry, because };
  }
  if (entry.name !== inputs.name) return undefined;
  throw refusal(recovery, found, why);
}

function asksFor({ service, inputs }: Recovery, found: readonly Properties[]): boolean {
  const asked = adoptionAsked(inputs, service);
  return asked === true ? found.length === 1 : found.some(({ id }) => id === asked);
}

/** A file of the journal that says nothing: any request may have been sent until then. */
async function afterUnreadable(recovery: Recovery, entry: Unreadable): Promise<undefined> {
  const { session, service, inputs, file } = recovery;
  const { sentAt, overAt } = momentOf(service, session.clock);
  const until = Math.min(entry.changedAt + overAt - sentAt, overAt);
  await warn(session, inputs, `the journal's file ${file} cannot be read: ${entry.reason}`);
  const isAsked = await lookUntil(session.clock, until, async () => {
    const found = await appeared(recovery, String(inputs.name), []);
    if (found.length > 0 && !asksFor(recovery, found))
      throw refusal(recovery, found, "the journal's file cannot be read");
    return found.length > 0 ? true : undefined;
  });
  if (isAsked) return undefined;
  await forget(recovery);
  return undefined;
}

function forget({ session, service, inputs }: Recovery): Promise<void> {
  return session.journal.drop(urnOf(inputs), service.connection.baseUrl);
}

function refusal(recovery: Recovery, found: readonly Properties[], why: string): RefusedError {
  const { service, inputs, file } = recovery;
  const ids = found.map(({ id }) => id).join(", ");
  const which = found.length === 1 ? `"${found[0]?.id}"` : "the id of the one to keep";
  return new RefusedError(
    `${labelOf(inputs)}: an earlier run was interrupted while it created "${inputs.name}" on ${service.connection.baseUrl}, and what it made is not certain (id ${ids}): ${why}. ` +
      `To manage it with this program, set adopt: ${which}; else give another name (the journal's file is ${file})`,
  );
}

function renamed({ inputs, file }: Recovery, resource: Properties): RefusedError {
  return new RefusedError(
    `${labelOf(inputs)}: an earlier run was interrupted and made "${resource.name}" (id ${resource.id}), which no state holds, and the program now names it "${inputs.name}". ` +
      `Set the name back for one up, which takes it over, and change it then; or, if it is not to be managed, delete the journal's file ${file}`,
  );
}
