/**
 * Uses the journal's entry to recover a creation that did not finish: an earlier run was interrupted, or the engine
 * repeats a failed creation in this run. Takes over a deployment that the creation provably made, and refuses one that
 * somebody else might have made. Creates a deployment only when the earlier request can no longer arrive.
 */
import type { Call } from "../../call";
import { format } from "../../diff/sentences";
import type { RefusedError } from "../../failure";
import type { Entry, Intent, Moment } from "../../journal/entry";
import { lookUntil, whenMade } from "../../journal/moment";
import type { Profile } from "../../profiles/profiles";
import { holds } from "../../schema/compare";
import { deploymentRows, isBeingDeleted } from "../../schema/deployment";
import type { Inputs, State } from "../../schema/recorded";
import { printable } from "../../schema/secrecy";
import type { Properties } from "../../schema/value";
import { rowsToWire } from "../../schema/wire";
import { withSentArguments } from "../intent";
import { sameNames } from "../live";
import { planUpdate } from "../plan";
import { createBody } from "../request";
import { deploymentOutputs, newRollout } from "../state";
import { keepsDeployment } from "../unique";
import { type Adoption, adoptionAsked, asksByName, idsOf } from "./adopt";

/** An entry that is older proves nothing: by then the look-up by name decides. */
const OLDEST_MS = 30 * 24 * 3_600_000;

interface Recovery {
  readonly call: Call;
  readonly inputs: Inputs;
  /** The journal's file. */
  readonly file: string;
}

/** The deployment that an interrupted creation made, and the proof. */
interface UnfinishedCreation {
  readonly resource: Properties;
  readonly file: string;
  readonly entry: Entry;
  readonly because: string;
}

/**
 * Takes over the deployment that an interrupted creation made. Returns the plan for the changes that the program has
 * made since; undefined if there is nothing to take over, so that the creation can proceed. Throws a RefusedError.
 */
export async function takeOverUnfinished(call: Call, inputs: Inputs): Promise<Adoption | undefined> {
  const creation = await findUnfinished(call, inputs);
  if (creation === undefined) return undefined;
  const { resource, file, entry, because } = creation;
  const id = resource.id as string;
  keepsDeployment(call, id);
  const plan = planUpdate(unwaitedState(call, inputs, resource, entry), inputs, call.profile);
  if (plan.verdict === "replace") {
    throw call.refuse(
      `${id}, which an interrupted creation made, differs in arguments that cannot be changed: ${plan.replaces.join(", ")}. Restore the old values for one update, which takes it over, and change them then`,
    );
  }
  const { creations } = call.run;
  if (entry.id === id) creations.inherit(file, entry);
  else await creations.answered(entry, { id });
  await call.warn(`takes over ${printable(id)}, which an interrupted creation made: ${because}`);
  return { id, resource, plan };
}

/** The state that the interrupted run would have recorded right after the POST. */
function unwaitedState(call: Call, inputs: Inputs, resource: Properties, entry: Entry): State {
  const sent = withSentArguments(inputs, entry, call.service.connection.macKey);
  const body = createBody(sent, call.profile);
  const write = { call, id: resource.id as string, state: {}, inputs: sent, body };
  return deploymentOutputs(write, resource, newRollout(inputs));
}

async function findUnfinished(call: Call, inputs: Inputs): Promise<UnfinishedCreation | undefined> {
  const openEntry = await call.run.creations.openEntry(call.key);
  if (openEntry === undefined) return undefined;
  const recovery = { call, inputs, file: openEntry.file };
  const entry = withName(openEntry.entry, inputs);
  return entry.id === undefined ? byItsTrace(recovery, entry) : byItsId(recovery, entry, entry.id);
}

/** The entry. If the journal left out the name because it is secret, the entry gets the program's name. */
function withName(entry: Entry, inputs: Inputs): Entry {
  return entry.name === "" ? { ...entry, name: String(inputs.name) } : entry;
}

async function byItsId(
  recovery: Recovery,
  entry: Entry,
  id: string,
): Promise<UnfinishedCreation | undefined> {
  const { call, inputs } = recovery;
  const isOld = call.run.clock.now() - entry.sentAt > OLDEST_MS;
  if (isOld || id === call.service.fleet.predecessorOf(call.urn)) return forget(recovery);
  const resource = await call.service.directory.byId(id);
  if (resource === undefined || isBeingDeleted(resource.status)) {
    await call.tell(format.creationHasVanished({ id }));
    return forget(recovery);
  }
  if (resource.name !== entry.name)
    throw refusal(recovery, [resource], `its name is "${resource.name}", not "${entry.name}"`);
  if (entry.name !== inputs.name) throw renamedError(recovery, resource);
  return { resource, file: recovery.file, entry, because: "its answer had come" };
}

/**
 * If the journal has no answer to the POST, examines the deployments that have appeared under the name since the POST.
 */
async function byItsTrace(recovery: Recovery, entry: Entry): Promise<UnfinishedCreation | undefined> {
  const { call } = recovery;
  const { clock } = call.run;
  const started = clock.now();
  const { name, known: idsBefore, expiresAt } = entry;
  let isSaid = started >= expiresAt;
  const takeOver = await lookUntil(clock, expiresAt, async () => {
    const verdict = await outcomeOf(recovery, entry, await newlyNamed(call, name, idsBefore));
    if (verdict === undefined && !isSaid) {
      isSaid = true;
      const seconds = Math.ceil((expiresAt - started) / 1000);
      await call.tell(format.creationMayArrive({ name: printable(name), seconds }));
    }
    return verdict;
  });
  if (takeOver === "left to adopt") return undefined;
  if (takeOver !== undefined) return takeOver;
  await call.tell(format.creationDidNothing());
  return forget(recovery);
}

async function newlyNamed(call: Call, name: string, idsBefore: readonly string[]): Promise<Properties[]> {
  const { directory, fleet } = call.service;
  const predecessor = fleet.predecessorOf(call.urn);
  return (await directory.freshlyNamed(name)).filter(
    ({ id, status }) => !isBeingDeleted(status) && id !== predecessor && !idsBefore.includes(id as string),
  );
}

async function outcomeOf(
  recovery: Recovery,
  entry: Entry,
  candidates: readonly Properties[],
): Promise<UnfinishedCreation | "left to adopt" | undefined> {
  const { call, inputs } = recovery;
  const [resource] = candidates;
  if (resource === undefined) return undefined;
  // If the program names an id as the one to adopt, that id needs no proof.
  if (asksFor(recovery, candidates)) {
    for (const each of candidates) call.service.directory.remember(each);
    return "left to adopt";
  }
  if (candidates.length > 1) throw refusal(recovery, candidates, `${candidates.length} have appeared since`);
  const why = await whyNotOurs(call, entry, resource);
  if (why === undefined) {
    if (entry.name !== inputs.name) throw renamedError(recovery, resource);
    return { resource, file: recovery.file, entry, because: WHY_OURS };
  }
  if (entry.name !== inputs.name) return undefined;
  throw refusal(recovery, candidates, why);
}

function asksFor({ call, inputs }: Recovery, candidates: readonly Properties[]): boolean {
  const adoption = adoptionAsked(call, inputs);
  return asksByName(adoption) ? candidates.length === 1 : candidates.some(({ id }) => id === adoption);
}

async function forget({ call }: Recovery): Promise<undefined> {
  await call.run.creations.drop(call.key);
}

function refusal(
  { call, inputs, file }: Recovery,
  candidates: readonly Properties[],
  why: string,
): RefusedError {
  const which = candidates.length === 1 ? `"${candidates[0]?.id}"` : "the id of the one to keep";
  return call.refuse(
    `an earlier run was interrupted while it created "${inputs.name}", and may have made ${idsOf(candidates)}: ${why}. To manage it, set adopt: ${which} (journal: ${file})`,
  );
}

function renamedError({ call, inputs, file }: Recovery, resource: Properties): RefusedError {
  return call.refuse(
    `an earlier run was interrupted and made "${resource.name}" (id ${resource.id}), not "${inputs.name}". Set the name back for one update, which takes it over (journal: ${file})`,
  );
}

/** Why a creation takes over a deployment for which `whyNotOurs` gives no reason to doubt. */
export const WHY_OURS = "since then no other has appeared under this name, and it has all that was sent";

/** The reason to doubt that the creation made the deployment; undefined if there is proof. */
export async function whyNotOurs(
  call: Call,
  creation: Intent & Moment,
  resource: Properties,
): Promise<string | undefined> {
  if (call.run.creations.isMadeElsewhere(creation, resource.id as string, creation.name))
    return "another stack on this machine has made it, or may just have";
  const time = whenMade(resource.created_at, creation, call.service.endpoints.clockAhead);
  if (time === undefined) return "it does not say when it was created";
  if (time === "before") return "it was created before the interrupted run asked for it";
  if (time === "after") return "it was created when the interrupted run's request could no longer arrive";
  if (call.run.clock.now() - creation.sentAt > OLDEST_MS) return "the interrupted run was too long ago";
  return whyNotAsSent(creation, resource, call.profile);
}

/** How the deployment differs from what the creation sent; undefined if the service shows no difference. */
export function whyNotAsSent(creation: Intent, resource: Properties, profile: Profile): string | undefined {
  const wire = rowsToWire(deploymentRows, creation.sent, profile);
  const differs = Object.keys(wire).find((name) => !holds(resource[name], wire[name]));
  if (differs !== undefined) return `its ${differs} is not what the interrupted run sent`;
  return sameNames(creation.secretNames, resource, profile)
    ? undefined
    : "its secrets are not those that the interrupted run sent";
}
