/**
 * An update whose result is not known: its answer was lost, or the run that sent it was killed. Before the provider
 * sends anything again, it reads the service, and takes over each change that the update provably made.
 */

import { randomUUID } from "node:crypto";
import type { Call } from "../../call";
import { format } from "../../diff/sentences";
import { lookUntil } from "../../journal/moment";
import type { Tried } from "../../journal/resolve";
import { type Difference, reducedTo, sameValue } from "../../schema/compare";
import type { Inputs, State } from "../../schema/recorded";
import { mergedOver, type Properties, propertiesIn, valueAt } from "../../schema/value";
import { FORCING, type SentArguments, sentBy, updateIntent } from "../intent";
import { type Live, liveIn } from "../live";
import { isDoubtful } from "../record";
import { allowedUpdate, isEmpty, type Update } from "../request";
import { isAt, isSentIn, newRollout, refreshedState } from "../state";
import { variablesOf } from "../variables";
import { latestIn, type Observation, observeUpdate, refuseGone } from "./proof";

/** The recorded state, in doubt if the journal has an update of the deployment that the state does not confirm. */
export async function withOpenUpdate(call: Call, id: string, state: State): Promise<State> {
  const attempt = isDoubtful(state) ? undefined : await call.run.journal.get(call.key("update"));
  return attempt?.id === id ? { ...state, uncertainSince: attempt.sentAt } : state;
}

/** The update that an earlier run left in doubt; undefined if there is none. */
export async function openUpdate(update: Update): Promise<Tried | undefined> {
  const { call, id, state } = update;
  const { journal } = call.run;
  const attempt = await journal.get(call.key("update"));
  if (attempt?.id === id) return attempt;
  // The attempt is about an old deployment, which this resource has replaced.
  if (attempt !== undefined) await journal.drop(attempt);
  return isDoubtful(state) ? attemptInState(update, state.uncertainSince as number) : undefined;
}

/**
 * The attempt that only the state records. The function assumes that this attempt sent the present arguments.
 * If there is nothing to send, the program has gone back, and the attempt may have sent anything.
 */
function attemptInState(update: Update, sentAt: number): Tried {
  const { call, inputs, body } = update;
  // The present secrets prove nothing about those that were sent.
  const { macs: _present, carries, ...intent } = updateIntent(update);
  const { expiresAt } = call.moment(sentAt);
  const moment = { sentAt, expiresAt: Math.min(expiresAt, call.moment().expiresAt) };
  if (!isEmpty(body)) return { ...intent, ...moment, carries };
  return { ...intent, ...moment, sent: {}, secretNames: Object.keys(variablesOf(inputs) ?? {}) };
}

/** Reads the service, and plans the rest of the update. The body of `rest` is empty if nothing is left to send. */
export async function resumeUpdate(
  update: Update,
  attempt: Tried,
): Promise<Observation & { readonly rest: Update }> {
  const { call } = update;
  const { uncertainSince: _doubt, ...before } = update.state;
  const sent = sentBy(attempt, update);
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

/** Whether the attempt has sent variables, or may have. */
const sendsVariables = ({ carries, secretNames }: Tried): boolean =>
  carries === undefined ? secretNames.length > 0 : carries.includes("secrets");

/** The state from which the update continues: the state that an uninterrupted run and a refresh would have left. */
function stateAfter(
  { call, state, inputs }: Update,
  sent: SentArguments,
  { resource, newRevision }: Observation,
): State {
  const { attempt, sentArguments, body } = sent;
  const { answer, carries, current = [] } = attempt;
  const live = liveIn(resource, call.profile);
  const latest = live.outputs.latestRevisionId;
  const isItsOwn = newRevision !== undefined && (answer === undefined || answer === latest);
  const applied = isItsOwn ? mergedOver(state, sentArguments) : state;
  const isCarried = isSentIn({ call, body, current });
  // If only the service shows that the update arrived, everything sent has arrived. After a recorded answer, somebody
  // may have changed the settings in place since, but a revision never changes.
  const isSent = (difference: Difference) =>
    isItsOwn &&
    isCarried(difference) &&
    (answer === undefined || difference.names[0] === "sourceRevisionConfig");
  // A value that neither update changes belongs to another tool, so its drift is left to a refresh.
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

/**
 * The variables that the service has after an update of variables: the program's variables, if the service shows
 * exactly those. Otherwise, each variable counts as a changed secret unless the journal proves its value.
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
  // Drops the generations of secrets that the update removed: if a generation stayed, the next plan would remove that
  // secret again.
  const secretGenerations = reducedTo(secretsAfter, state.secretGenerations);
  return { environment, secrets: secretsAfter, secretGenerations };
}
