/**
 * An update in doubt: its answer was lost, or the run that sent the update was killed. Before the provider sends
 * anything again, it reads the service, and takes over each change that the update provably made.
 */

import { randomUUID } from "node:crypto";
import type { Call } from "../../call";
import { format } from "../../diff/sentences";
import type { Entry } from "../../journal/entry";
import { provenValues } from "../../journal/macs";
import { lookUntil } from "../../journal/moment";
import { type Difference, reducedTo, sameValue } from "../../schema/compare";
import { deploymentRows } from "../../schema/deployment";
import type { Arguments, Inputs, State } from "../../schema/recorded";
import { mergedOver, type Properties, propertiesIn, valueAt } from "../../schema/value";
import { rowsToWire } from "../../schema/wire";
import { FORCING, updateIntent } from "../intent";
import { type Live, liveIn } from "../live";
import { isDoubtful } from "../record";
import { allowedUpdate, isEmpty, type Update } from "../request";
import { isAt, isSentIn, newRollout, refreshedState } from "../state";
import { variablesOf } from "../variables";
import { answerNote, type Observation, observe, refuseGone, type SentRequest } from "./proof";

/** An update that an earlier run sent and that no state confirms. */
interface Doubt extends SentRequest {
  /** The arguments that were sent, as far as the journal records or proves them, without secrets. */
  readonly sentArguments: Arguments;
  /** The arguments whose sections the request contains; undefined if they are unknown. */
  readonly carries: readonly string[] | undefined;
  /** Paths of the values that the request carries as the service had them. */
  readonly current?: readonly string[] | undefined;
  /** The names of the variables that were sent; undefined if the update had no variables. */
  readonly secretNames: readonly string[] | undefined;
  /** The program's secrets that the journal proves were sent. */
  readonly secrets: Properties;
  /** When to stop waiting for the request to arrive, by our clock. */
  readonly expiresAt: number;
  /** The journal's entry; undefined if there is no readable entry. */
  readonly entry?: { readonly file: string; readonly entry: Entry };
}

/** The recorded state, in doubt if the journal has an update of the deployment that the state does not confirm. */
export async function withOpenUpdate(call: Call, id: string, state: State): Promise<State> {
  const openEntry = isDoubtful(state) ? undefined : await call.run.updates.openEntry(call.key);
  if (openEntry === undefined) return state;
  const { entry } = openEntry;
  return entry.id === id ? { ...state, uncertainSince: entry.sentAt } : state;
}

/** The update that an earlier run left in doubt; undefined if there is none. */
export async function doubtAbout(update: Update): Promise<Doubt | undefined> {
  const { call, id, state } = update;
  const { updates } = call.run;
  const openEntry = await updates.openEntry(call.key);
  if (openEntry !== undefined) {
    const { file, entry } = openEntry;
    if (entry.id === id) return afterEntry(update, file, entry);
    // The entry is about an old deployment, which this resource has replaced.
    await updates.drop(call.key);
  }
  return isDoubtful(state) ? afterState(update, state.uncertainSince as number) : undefined;
}

/**
 * The doubt about an update that only the state records. Assumes that the update sent the present arguments; if there is
 * nothing to send, the program has gone back, and the update may have sent anything.
 */
function afterState(update: Update, sentAt: number): Doubt {
  const { sent: sentArguments, carries, secretNames } = updateIntent(update);
  const { call, id, state, inputs, body, revision } = update;
  const hasGoneBack = isEmpty(body);
  const mayHaveSentVariables = hasGoneBack && variablesOf(inputs) !== undefined;
  return {
    call,
    id,
    state,
    body: hasGoneBack ? undefined : body,
    moment: { sentAt, expiresAt: Number.POSITIVE_INFINITY },
    sentArguments,
    carries: hasGoneBack ? undefined : carries,
    secretNames: mayHaveSentVariables || carries.includes("secrets") ? secretNames : undefined,
    secrets: {},
    // Nothing is sent while a request that would undo it, or make a second revision, may still arrive.
    expiresAt:
      isEmpty(revision) && !hasGoneBack
        ? 0
        : Math.min(call.moment(sentAt).expiresAt, call.moment().expiresAt),
  };
}

/** The doubt about an update that the journal records. */
export function afterEntry(
  { call, id, inputs }: Pick<Update, "call" | "id" | "inputs">,
  file: string,
  entry: Entry,
): Doubt {
  const { secrets, ...secretValues } = provenValues(entry.macs, inputs, call.service.connection.macKey);
  const { sent, known, sentAt, expiresAt, answer, carries, current, secretNames } = entry;
  return {
    call,
    id,
    state: { latestRevisionId: known[0] ?? null },
    body: rowsToWire(deploymentRows, sent, call.profile),
    moment: { sentAt, expiresAt },
    answer,
    sentArguments: mergedOver(sent, secretValues),
    carries,
    current,
    secretNames: carries?.includes("secrets") ? secretNames : undefined,
    secrets: propertiesIn(secrets),
    expiresAt: answer === undefined ? expiresAt : 0,
    entry: { file, entry },
  };
}

/** Reads the service, and plans the rest of the update. The body of `rest` is empty if nothing is left to send. */
export async function resolveDoubt(
  update: Update,
  doubt: Doubt,
): Promise<Observation & { readonly rest: Update }> {
  const { call } = update;
  const { uncertainSince: _doubt, ...before } = update.state;
  const { answer, secretNames, entry: open } = doubt;
  const observation = await lookFor(doubt);
  const { resource, newRevision } = observation;
  const state = stateAfter({ ...update, state: before }, doubt, observation);
  const rest = {
    ...allowedUpdate({ ...update, state }),
    before,
    ...(doubt.current && { current: doubt.current }),
  };
  if (open !== undefined) call.run.updates.inherit(open.file, open.entry);
  const reached = { id: resource.latest_revision_id };
  if (newRevision !== undefined && answer === undefined)
    await call.run.updates.answered(call.key, answerNote(reached.id));
  if (isEmpty(rest.body)) {
    if (newRevision !== undefined) await call.tell(format.updateTakenOver(reached));
  } else if (open !== undefined) {
    const restIsSent = secretNames === undefined ? format.restIsSent : format.restAndSecretsAreSent;
    await call.tell(newRevision === undefined ? format.updateNotProven() : restIsSent(reached));
  }
  return { ...observation, rest };
}

/** Reads the deployment until it shows the update's effect, or until the update can no longer arrive. */
export async function lookFor(doubt: Doubt): Promise<Observation> {
  const { call, expiresAt } = doubt;
  const { clock } = call.run;
  let isSaid = false;
  let observation: Observation = { resource: {}, newRevision: undefined };
  await lookUntil(clock, expiresAt, async () => {
    observation = (await observe(doubt)) ?? refuseGone(doubt);
    const seconds = Math.ceil((expiresAt - clock.now()) / 1000);
    if (observation.newRevision === undefined && !isSaid && seconds > 0) {
      isSaid = true;
      await call.tell(format.updateMayArrive({ seconds }));
    }
    return observation.newRevision;
  });
  return observation;
}

/** The state from which the update continues: the state that an uninterrupted run and a refresh would have left. */
function stateAfter(
  { call, state, inputs }: Update,
  doubt: Doubt,
  { resource, newRevision }: Observation,
): State {
  const { sentArguments, answer, body = {}, carries, current = [] } = doubt;
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
  return { ...after, ...rollout, ...variablesAfter(doubt, state, inputs, live, newRevision !== undefined) };
}

/**
 * The variables that the service has after an update of variables: the program's variables, if the service shows
 * exactly those. Otherwise, each variable counts as a changed secret unless the journal proves its value.
 */
function variablesAfter(
  { secretNames, secrets, sentArguments }: Doubt,
  state: State,
  inputs: Inputs,
  { listed }: Live,
  isApplied: boolean,
): Properties {
  if (secretNames === undefined) return {};
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
