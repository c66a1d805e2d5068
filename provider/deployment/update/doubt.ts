/**
 * An update in doubt: its answer was lost, or the run that sent it was killed. The provider reads the service before it
 * sends anything again, and takes over what the update provably did.
 */

import { randomUUID } from "node:crypto";
import type { Call } from "../../call";
import { sameValue } from "../../fields/compare";
import { deploymentRows } from "../../fields/deployment";
import { laidOver, type Properties, propertiesIn, valueAt } from "../../fields/value";
import { rowsToWire } from "../../fields/wire";
import type { Entry, Moment, Unreadable } from "../../journal/entry";
import { lookUntil } from "../../journal/moment";
import { say } from "../../verdict/sentences";
import { FORCING, provenBy, updateIntent } from "../intent";
import { type Live, liveIn } from "../live";
import { planUpdate } from "../plan";
import { allowedUpdate, isEmpty, type Update } from "../request";
import { isDoubtful } from "../rollout/owed";
import { begun, refreshedState, type Write } from "../state";
import { variablesOf } from "../variables";
import { answerNote, type Made, revisionMade, type Sight, shownBy } from "./proof";

/** An update of an earlier run that no state confirms. */
interface Doubt {
  /** The update's request; undefined if it is not known. */
  readonly write: (Pick<Write, "call" | "id" | "olds" | "body"> & { readonly moment: Moment }) | undefined;
  /** The latest revision in the service's answer, null if it named none; undefined if no answer is recorded. */
  readonly answer: string | null | undefined;
  /** The arguments that were sent, as far as the journal records or proves them, without secrets. */
  readonly sent: Properties;
  /** The names of the variables that were sent; undefined if the update had no variables. */
  readonly secretNames: readonly string[] | undefined;
  /** The program's secrets that the journal proves were sent. */
  readonly secrets: Properties;
  /** The time from which the request can no longer arrive, by our clock. */
  readonly overAt: number;
  /** The journal's entry, if there is a readable one. */
  readonly entry: { readonly file: string; readonly entry: Entry } | undefined;
}

/** The update that an earlier run left in doubt, or undefined. */
export async function doubtAbout(update: Update): Promise<Doubt | undefined> {
  const { call, id, olds } = update;
  const { updates } = call.run;
  const openEntry = await updates.openEntry(call.key);
  if (openEntry !== undefined) {
    const { file, entry } = openEntry;
    if ("reason" in entry) return afterUnreadable(update, file, entry);
    if (entry.id === id) return afterEntry(update, file, entry);
    // The entry is about a deployment that this resource replaced.
    await updates.drop(call.key);
  }
  return isDoubtful(olds) ? afterState(update, olds.uncertainSince as number) : undefined;
}

/** A doubt that only the state records. Takes the present arguments for those that were sent. */
function afterState(update: Update, sentAt: number): Doubt {
  const { sent, carries, secretNames } = updateIntent(update);
  const { call, revision } = update;
  const moment = { sentAt, overAt: Number.POSITIVE_INFINITY };
  return {
    write: isEmpty(update.body) ? undefined : { ...update, moment },
    answer: undefined,
    sent,
    secretNames: carries.includes("secrets") ? secretNames : undefined,
    secrets: {},
    // A call that makes a revision is not sent again while the first one may arrive.
    overAt: isEmpty(revision) ? 0 : Math.min(call.moment(sentAt).overAt, call.moment().overAt),
    entry: undefined,
  };
}

export function afterEntry(
  { call, id, news }: Pick<Update, "call" | "id" | "news">,
  file: string,
  entry: Entry,
): Doubt {
  const { secrets, ...others } = provenBy(entry, news, call.service.connection.macKey);
  const { sent, known, sentAt, overAt, answer, carries, secretNames } = entry;
  const body = rowsToWire(deploymentRows, sent, call.profile);
  return {
    write: { call, id, olds: { latestRevisionId: known[0] ?? null }, body, moment: { sentAt, overAt } },
    answer,
    sent: laidOver(sent, others) as Properties,
    secretNames: carries?.includes("secrets") ? secretNames : undefined,
    secrets: propertiesIn(secrets),
    overAt: answer === undefined ? overAt : 0,
    entry: { file, entry },
  };
}

/** The doubt after an unreadable file of the journal: until its last change, any update may have been sent. */
async function afterUnreadable(
  { call }: Update,
  file: string,
  { changedAt, reason }: Unreadable,
): Promise<Doubt> {
  await call.warn(`the journal's file ${file} cannot be read: ${reason}`);
  await call.run.updates.drop(call.key);
  return {
    write: undefined,
    answer: undefined,
    sent: {},
    secretNames: [],
    secrets: {},
    overAt: call.moment(changedAt).overAt,
    entry: undefined,
  };
}

/** Reads the service, and plans the rest of the update, whose body is empty if nothing is left to send. */
export async function resolved(update: Update, doubt: Doubt): Promise<Sight & { readonly rest: Update }> {
  const { call, id, news } = update;
  const sight = await lookFor(update, doubt);
  const { resource, made } = sight;
  const plan = planUpdate(stateAfter(update, doubt, sight), news, call.profile, call);
  const rest = { ...allowedUpdate(call, id, plan), before: update.olds };
  if (doubt.entry !== undefined) call.run.updates.inherit(doubt.entry.file, doubt.entry.entry);
  if (made !== undefined && doubt.answer === undefined)
    await call.run.updates.answered(call.key, answerNote(resource.latest_revision_id));
  if (isEmpty(rest.body)) {
    if (made !== undefined) await call.tell(say.updateTakenOver({ id: resource.latest_revision_id }));
  } else if (doubt.entry !== undefined) await call.tell(wordsOfTheRest(doubt, sight));
  return { ...sight, rest };
}

function wordsOfTheRest({ secretNames }: Doubt, { made, resource }: Sight) {
  if (made === undefined) return say.updateNotProven();
  const reached = { id: resource.latest_revision_id };
  return secretNames === undefined ? say.restIsSent(reached) : say.restAndSecretsAreSent(reached);
}

/** Reads the deployment until it shows the update, or the update can no longer arrive. */
export async function lookFor({ call, id }: Pick<Update, "call" | "id">, doubt: Doubt): Promise<Sight> {
  const { clock } = call.run;
  let isSaid = false;
  let resource: Properties = {};
  const made = await lookUntil(clock, doubt.overAt, async () => {
    resource = await living(call, id);
    const revision = await madeBy(resource, doubt);
    const seconds = Math.ceil((doubt.overAt - clock.now()) / 1000);
    if (revision === undefined && !isSaid && seconds > 0) {
      isSaid = true;
      await call.tell(say.updateMayArrive({ seconds }));
    }
    return revision;
  });
  return { resource, made };
}

/** The deployment as the service has it now. Throws if the service no longer has it. */
export async function living(call: Call, id: string): Promise<Properties> {
  const resource = await call.service.directory.fresh(id);
  if (resource !== undefined) return resource;
  throw call.refuse(`the service no longer has it (id ${id}). Run \`pulumi refresh\``);
}

async function madeBy(resource: Properties, { write, answer }: Doubt): Promise<Made> {
  if (write === undefined) return undefined;
  if (answer === undefined) return shownBy(resource, write, write.moment, true);
  return (await revisionMade(write, write.moment, answer ?? resource.latest_revision_id)) ?? false;
}

/** The state from which the update continues. */
function stateAfter(update: Update, doubt: Doubt, sight: Sight): Properties {
  const live = liveIn(sight.resource, update.call.profile);
  const isApplied = sight.made !== undefined;
  return {
    ...refreshedSince(update, doubt, live, sight.made),
    ...variablesAfter(update, doubt, live, isApplied),
  };
}

/** The state that an uninterrupted run and a refresh would have left. */
function refreshedSince({ olds, news }: Update, { sent, answer }: Doubt, live: Live, made: Made): Properties {
  const { uncertainSince: _doubt, ...recorded } = olds;
  const latest = live.outputs.latestRevisionId;
  const isItsOwn = answer === undefined || answer === latest;
  const before = made !== undefined && isItsOwn ? laidOver(recorded, sent) : recorded;
  const state: Properties = {
    ...refreshedState(before as Properties, live),
    latestRevisionId: latest,
  };
  if (made !== undefined) for (const name of FORCING) state[name] = sent[name];
  // A revision never changes: the service shows its settings in their resolved form.
  if (typeof latest === "string" && answer === latest)
    state.sourceRevisionConfig = laidOver(state.sourceRevisionConfig, sent.sourceRevisionConfig);
  if (!made && latest === olds.latestRevisionId) return state;
  return { ...state, latestRevisionStatus: null, rolloutState: begun(news).state };
}

/**
 * The variables that the service has after an update of variables: the program's if the service shows exactly these, or
 * if the update was applied and the journal proves that it sent these. All others count as changed secrets.
 */
function variablesAfter(
  { olds, news }: Update,
  { secretNames, secrets, sent }: Doubt,
  { listed }: Live,
  isApplied: boolean,
): Properties {
  if (secretNames === undefined) return {};
  const [declared, before] = [variablesOf(news) ?? {}, variablesOf(olds) ?? {}];
  const names = Object.keys(listed);
  const allRemoved = isApplied && secretNames.length === 0 && Object.keys(declared).length === 0;
  if (names.length > 0 ? sameValue(listed, declared) : allRemoved)
    return { secrets: news.secrets, environment: news.environment };
  const placeholder = randomUUID();
  const possible = [...names, ...(isApplied ? [] : Object.keys(before)), ...secretNames];
  const [environment, proven] = isApplied ? [propertiesIn(sent.environment), secrets] : [{}, {}];
  const unproven = possible.filter((name) => !Object.hasOwn(environment, name));
  return {
    environment,
    secrets: Object.fromEntries(unproven.map((name) => [name, valueAt(proven, [name]) ?? placeholder])),
  };
}
