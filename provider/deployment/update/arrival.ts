/**
 * Finds out whether an update arrived and which revision it made: after an answer, after a lost answer, or in the next
 * run. When in doubt, the provider reads the service before it sends anything again, and keeps each change that the
 * update provably made.
 */
import { randomUUID } from "node:crypto";
import type { Call } from "../../call";
import { format } from "../../diff/sentences";
import { lookUntil } from "../../journal/moment";
import { type Candidate, resolve, type Tried } from "../../journal/resolve";
import { findRevision, revisionsOf } from "../../polling/revisions";
import type { Profile } from "../../profiles/profiles";
import { type Difference, holds, isFormOf, sameValue } from "../../schema/compare";
import { deploymentRows } from "../../schema/deployment";
import type { Inputs, State } from "../../schema/recorded";
import {
  mergedOver,
  type Properties,
  propertiesIn,
  reducedTo,
  valueAt,
  withValueAt,
} from "../../schema/value";
import { rowsFromWire } from "../../schema/wire";
import { FORCING, type SentArguments, sentBy, updateIntent } from "../intent";
import { hasVariables, type Live, liveIn, placeOf, specIn } from "../live";
import { isDoubtful } from "../record";
import { allowedUpdate, isEmpty, type Update } from "../request";
import { isAt, isSentIn, newRollout, refreshedState, type Write } from "../state";
import { foreignNames, undeclaredVariables, variablesOf } from "../variables";

/**
 * The revision that a request made, as listed by the service; false if the request made none; undefined if the provider
 * cannot tell.
 */
export type NewRevision = Properties | false | undefined;

/** The latest revision's id in the form that an attempt records: null if the service's answer names none. */
export const latestIn = (latest: unknown): string | null => (typeof latest === "string" ? latest : null);

/**
 * The deployment as it is now, and the update's revision; `newRevision` is undefined if the deployment does not show
 * the update.
 */
export interface Observation {
  readonly resource: Properties;
  readonly newRevision: NewRevision;
}

/** The known contents of a request. */
export interface Sent {
  readonly body: Properties;
  /** The variables whose values are known. */
  readonly variables: Properties;
}

/**
 * The revision that the update made. `resource`: the deployment, read after the update. `differs`: returns how the
 * deployment differs from what was sent. After an answer, the caller leaves out `differs`, because the answer proves
 * that the update arrived. Reads the revisions once, unless the latest revision is older than the update.
 */
export async function revisionMade(
  call: Call,
  id: string,
  attempt: Tried,
  resource: Properties,
  differs: () => Promise<string | undefined> = async () => undefined,
): Promise<NewRevision> {
  const { endpoints } = call.service;
  const latest = attempt.answer ?? resource.latest_revision_id;
  const isNamed = typeof latest === "string";
  const isKnown = isNamed && attempt.known.includes(latest);
  const listed = isKnown
    ? undefined
    : isNamed
      ? await findRevision(endpoints, id, latest)
      : (await revisionsOf(endpoints, id))[0];
  const revision = listed ?? (isNamed ? { id: latest } : undefined);
  if (revision === undefined) return undefined;
  const difference = isKnown ? undefined : await differs();
  const candidate: Candidate = { id: revision.id, createdAt: revision.created_at, difference };
  const seen = { candidates: [candidate], now: call.run.clock.now(), clockAhead: endpoints.clockAhead };
  const finding = resolve(attempt, seen);
  if (finding.kind !== "applied") return undefined;
  if (finding.made !== undefined) return revision;
  return isNamed ? false : undefined;
}

/** How many times to ask again for a revision that the plan announced but the answer to the PATCH did not name. */
const LATE_LOOKS = 5;
const BETWEEN_LATE_LOOKS_MS = 2_000;

/**
 * The deployment after a PATCH, and the revision that the PATCH made. `answer`: the PATCH's answer. Asks again
 * for up to ten seconds if this answer does not name the revision that the plan announced.
 */
export async function revisionAfter(
  update: Update,
  attempt: Tried,
  answer: Properties,
): Promise<Observation> {
  const { call, id, verdict } = update;
  const observation = { resource: answer, newRevision: await revisionMade(call, id, attempt, answer) };
  if (observation.newRevision !== false || verdict !== "newRevision") return observation;
  for (let looks = 0; looks < LATE_LOOKS; looks += 1) {
    await call.run.clock.sleep(BETWEEN_LATE_LOOKS_MS);
    const resource = (await call.service.directory.fresh(id)) ?? refuseGone(update);
    const latest = latestIn(resource.latest_revision_id);
    if (latest === null || attempt.known.includes(latest)) continue;
    await call.run.journal.answer(attempt, latest);
    return { resource, newRevision: await revisionMade(call, id, { ...attempt, answer: latest }, resource) };
  }
  return observation;
}

/** Reads the deployment, and looks for the update's revision; undefined if the deployment is gone. */
export async function observeUpdate(
  call: Call,
  id: string,
  attempt: Tried,
  sent: Sent,
): Promise<Observation | undefined> {
  const resource = await call.service.directory.fresh(id);
  if (resource === undefined) return undefined;
  if (attempt.answer !== undefined)
    return { resource, newRevision: (await revisionMade(call, id, attempt, resource)) ?? false };
  const differs = () => differenceOf(call, id, attempt, resource, sent);
  return { resource, newRevision: await revisionMade(call, id, attempt, resource, differs) };
}

/**
 * Why somebody else may have made the latest revision; undefined if only the update can have made it. A revision made
 * while the request could arrive counts as made by the request, even if the service shows a resolved form of the sent
 * values. A pending request could have arrived at any time since the last update, so it needs a stricter proof.
 */
async function differenceOf(
  call: Call,
  id: string,
  attempt: Tried,
  resource: Properties,
  sent: Sent,
): Promise<string | undefined> {
  const { evidence, known } = attempt;
  if (attempt.carries === undefined) return "it is not known what was sent";
  const isSame = evidence === undefined ? isFormOf : sameValue;
  const difference = shownDifference(call, attempt, resource, sent, isSame);
  if (difference !== undefined || evidence === undefined || evidence === "shown") return difference;
  const revisions = evidence === "alone" ? await revisionsOf(call.service.endpoints, id) : [];
  const isPushed = propertiesIn(resource.source_config).build_on_push === true;
  return !isPushed && known.includes(String(revisions[1]?.id))
    ? undefined
    : "the service does not show all that the update changes, and its latest revision may be another's";
}

const SECTIONS = ["source_config", "source_revision_config"];
const { secretReferences } = deploymentRows;

/** How the deployment differs from what was sent; undefined if the service shows no difference. */
function shownDifference(
  { profile }: Call,
  { carries = [], secretNames }: Tried,
  resource: Properties,
  { body: sentBody, variables }: Sent,
  isSame: typeof sameValue,
): string | undefined {
  const body = withoutRemovedMembers(sentBody, profile);
  if (!SECTIONS.every((section) => holds(resource[section], body[section], isSame)))
    return "its settings are not those that were sent";
  if (carries.includes("secrets") && !hasVariables(resource, secretNames, variables, profile))
    return "its variables are not those that were sent";
  const [sentReferences, liveReferences] = [body, resource].map(
    (each) => rowsFromWire({ secretReferences }, each, profile).secretReferences,
  );
  return [sentReferences, liveReferences].includes(undefined) || sameValue(liveReferences, sentReferences)
    ? undefined
    : "its secret references are not those that were sent";
}

/** Drops the spec members that the body sets to null, because the service may show defaults for these members. */
function withoutRemovedMembers(body: Properties, profile: Profile): Properties {
  const entries = Object.entries(specIn(body, profile));
  const presentMembers = entries.filter(([, value]) => value !== null);
  return presentMembers.length === entries.length
    ? body
    : withValueAt(body, placeOf(profile), Object.fromEntries(presentMembers));
}

/** Throws the error for a deployment that the service no longer has. */
export function refuseGone({ call, id }: Pick<Write, "call" | "id">): never {
  throw call.refuse(`the service no longer has it (id ${id}). Run \`pulumi refresh\``);
}

/** The recorded state, marked as in doubt if the journal has an update that the state does not confirm. */
export async function withOpenUpdate(call: Call, id: string, state: State): Promise<State> {
  const attempt = isDoubtful(state) ? undefined : await call.run.journal.get(call.key("update", id));
  return attempt ? { ...state, uncertainSince: attempt.sentAt } : state;
}

/** The arguments of the update that an earlier run left in doubt; undefined if there is none. */
export async function openUpdate(update: Update): Promise<SentArguments | undefined> {
  const attempt = await openAttempt(update);
  return attempt && sentBy(attempt, update);
}

async function openAttempt(update: Update): Promise<Tried | undefined> {
  const { call, id, state } = update;
  const attempt = await call.run.journal.get(call.key("update", id));
  return attempt ?? (isDoubtful(state) ? attemptInState(update) : undefined);
}

/**
 * The attempt that only the state records. The function assumes that this attempt sent the current arguments. If there
 * is nothing to send, the program has gone back to its old arguments, and the attempt may have sent anything.
 */
function attemptInState(update: Update): Tried {
  const { call, state, inputs, body } = update;
  const sentAt = state.uncertainSince as number;
  // The current secrets prove nothing about the secrets that were sent.
  const { macs: _present, carries, ...intent } = updateIntent(update);
  const { expiresAt } = call.moment(sentAt);
  const moment = { sentAt, expiresAt: Math.min(expiresAt, call.moment().expiresAt) };
  if (!isEmpty(body)) return { ...intent, ...moment, carries };
  return { ...intent, ...moment, sent: {}, secretNames: Object.keys(variablesOf(inputs) ?? {}) };
}

/** Reads the service, and plans the rest of the update. The body of `rest` is empty if nothing is left to send. */
export async function resumeUpdate(
  update: Update,
  sent: SentArguments,
): Promise<Observation & { readonly rest: Update }> {
  const { call } = update;
  const { attempt } = sent;
  const { uncertainSince: _doubt, ...before } = update.state;
  const observation = await lookFor(call, update.id, sent);
  const { resource, newRevision } = observation;
  const state = stateAfter({ ...update, state: before }, sent, observation);
  const carried = newRevision === undefined ? [] : attempt.carries;
  const rest = { ...allowedUpdate({ ...update, state }), before, current: attempt.current ?? [], carried };
  const reached = { id: resource.latest_revision_id };
  if (newRevision !== undefined && attempt.answer === undefined)
    await call.run.journal.answer(attempt, latestIn(reached.id));
  if (isEmpty(rest.body)) {
    if (newRevision !== undefined) await call.tell(format.updateTakenOver(reached));
  } else {
    await call.tell(newRevision === undefined ? format.updateNotProven() : format.restIsSent(reached));
  }
  return { ...observation, rest };
}

/** Reads the deployment until it shows the update's effect, or until the update can no longer arrive. */
export async function lookFor(call: Call, id: string, sent: SentArguments): Promise<Observation> {
  const { clock } = call.run;
  const { attempt } = sent;
  let observation: Observation = { resource: {}, newRevision: undefined };
  const look = async () => {
    observation = (await observeUpdate(call, id, attempt, sent)) ?? refuseGone({ call, id });
    return observation.newRevision;
  };
  const end = attempt.answer === undefined ? attempt.expiresAt : 0;
  await lookUntil(clock, end, look, (seconds) => call.tell(format.updateMayArrive({ seconds })));
  return observation;
}

/** Whether the attempt may have sent variables. */
const sendsVariables = ({ carries, secretNames }: Tried): boolean =>
  carries === undefined ? secretNames.length > 0 : carries.includes("secrets");

/** The state from which the update continues, as an uninterrupted run and a refresh would have recorded it. */
function stateAfter(
  { call, state, inputs }: Update,
  sent: SentArguments,
  { resource, newRevision }: Observation,
): State {
  const { attempt, sentArguments, body } = sent;
  const { answer, carries, current = [] } = attempt;
  const live = withoutAdded(liveIn(resource, call.profile), attempt, state, inputs);
  const latest = live.outputs.latestRevisionId;
  const isItsOwn = newRevision !== undefined && (answer === undefined || answer === latest);
  const applied = isItsOwn ? mergedOver(state, sentArguments) : state;
  const isCarried = isSentIn({ call, body, current });
  // Without a recorded answer, the service has shown that it has all sent values. With a recorded answer, only the
  // revision certainly has the sent values, because somebody may have changed other settings since then.
  const isSent = (difference: Difference) =>
    isItsOwn &&
    isCarried(difference) &&
    (answer === undefined || difference.names[0] === "sourceRevisionConfig");
  // Leaves a value's drift to a refresh if neither the earlier update nor this update changes the value.
  const concerns = ({ path, names }: Difference) =>
    carries === undefined ||
    (carries.includes(names[0] as string) && !isAt(path, current)) ||
    !sameValue(valueAt(state, names), valueAt(inputs, names));
  const refreshed = refreshedState(applied, live, call.hidden, isSent, concerns);
  const after: State = { ...refreshed, latestRevisionId: latest };
  if (newRevision !== undefined) for (const name of FORCING) after[name] = sentArguments[name];
  const isSettled = !newRevision && latest === state.latestRevisionId;
  const rollout = isSettled ? {} : { latestRevisionStatus: null, rolloutState: newRollout(inputs).state };
  return { ...after, ...rollout, ...variablesAfter(sent, state, inputs, live, newRevision !== undefined) };
}

/** Leaves out variables that another tool has added. The update refuses to remove them, because no plan names them. */
function withoutAdded(live: Live, { secretNames }: Tried, state: State, inputs: Inputs): Live {
  const added = undeclaredVariables([state, inputs], live);
  const expected = [...foreignNames(state), ...secretNames];
  const isExpected = ([name]: [string, unknown]) => !added.includes(name) || expected.includes(name);
  return { ...live, listed: Object.fromEntries(Object.entries(live.listed).filter(isExpected)) };
}

/**
 * The variables that the service has after an update of variables: the program's variables, if the service shows
 * exactly these variables. Otherwise, each variable counts as a changed secret unless the journal proves its value.
 */
function variablesAfter(
  { attempt, secrets, sentArguments }: SentArguments,
  state: State,
  inputs: Inputs,
  { listed }: Live,
  isApplied: boolean,
): Properties {
  if (!sendsVariables(attempt)) return {};
  const { secretNames } = attempt;
  const [declaredVariables, variablesBefore] = [variablesOf(inputs) ?? {}, variablesOf(state) ?? {}];
  const names = Object.keys(listed);
  const allRemoved = isApplied && secretNames.length === 0 && Object.keys(declaredVariables).length === 0;
  if (names.length > 0 ? sameValue(listed, declaredVariables) : allRemoved)
    return {
      secrets: inputs.secrets,
      environment: inputs.environment,
      secretGenerations: inputs.secretGenerations,
    };
  const placeholder = randomUUID();
  const possible = [...names, ...(isApplied ? [] : Object.keys(variablesBefore)), ...secretNames];
  const [environment, provenSecrets] = isApplied
    ? [propertiesIn(sentArguments.environment), secrets]
    : [{}, {}];
  const unproven = possible.filter((name) => !Object.hasOwn(environment, name));
  const secretsAfter = Object.fromEntries(
    unproven.map((name) => [name, valueAt(provenSecrets, [name]) ?? placeholder]),
  );
  // Drops the generations of secrets that the update removed. Otherwise, the next plan would remove these
  // secrets again.
  const secretGenerations = reducedTo(secretsAfter, state.secretGenerations);
  return { environment, secrets: secretsAfter, secretGenerations };
}
