/**
 * Looks for the effect of a creation or an update that a killed run left pending in the engine's state. A proven effect
 * becomes an entry of the journal, and the next run continues from that entry as if the killed run had been on this
 * machine.
 */

import { randomUUID } from "node:crypto";
import type { Call } from "../call";
import { touchesRevision } from "../diff/changes";
import type { Answer, Intent, Moment } from "../journal/entry";
import type { Journal } from "../journal/journal";
import { whenMade } from "../journal/moment";
import { revisionsOf } from "../polling/revisions";
import { holds } from "../schema/compare";
import type { Inputs, State } from "../schema/recorded";
import { type Properties, propertiesIn } from "../schema/value";
import { adoptionAsked, asksByName, existingWithName, idsOf } from "./create/adopt";
import { whyNotAsSent } from "./create/recover";
import { creationIntent, updateIntent } from "./intent";
import { sameNames, shownIn } from "./live";
import { planCall, revises } from "./plan";
import { isEmpty, plannedUpdate, postedPart, type Update } from "./request";
import { answerNote, revisionShown } from "./update/proof";
import { isVariable, variablesOf } from "./variables";

/** The proven effect of a pending request. `record` writes the effect to the journal. */
export interface Proof {
  readonly kind: "proven";
  /** The deployment's id. */
  readonly id: string;
  /** The revision that an update made; undefined for a creation. */
  readonly revisionId?: unknown;
  readonly record: () => Promise<void>;
}

/**
 * `absent`: the service shows no effect of the request. `repeatable`: the next run may send the request again without
 * harm. `journalled`: this machine's journal already has an entry for the request. `doubtful`: `why` says what is not
 * proven, and names the ids.
 */
export type Fate =
  | Proof
  | { readonly kind: "absent" | "repeatable" | "journalled" }
  | { readonly kind: "doubtful"; readonly why: string; readonly id?: string };

/** Facts from the stack's state. */
export interface StackFacts {
  /** The earliest time at which the killed run could have sent a request, by our clock, in ms since 1970. */
  readonly since: number;
  /** The ids of all deployments in the state. */
  readonly ids: ReadonlySet<string>;
}

const SEALED = randomUUID();

/** A placeholder for a secret that the export hides. The placeholder changes with the secret's generation. */
export const sealedValue = (generation: unknown): string => `${SEALED}:${generation}`;

const isSealed = (value: unknown): boolean => typeof value === "string" && value.startsWith(SEALED);

/** Whether the service shows the deployment of a pending creation. `inputs`: the creation's inputs. */
export async function pendingCreation(call: Call, inputs: Inputs, stack: StackFacts): Promise<Fate> {
  const { creations } = call.run;
  if ((await creations.openEntry(call.key)) !== undefined) return { kind: "journalled" };
  const adoption = adoptionAsked(call, inputs);
  if (adoption !== false && !asksByName(adoption)) return { kind: "repeatable" };
  const living = await existingWithName(call, String(inputs.name));
  const [resource] = living.filter(({ id }) => !stack.ids.has(id as string));
  if (resource === undefined) return { kind: "absent" };
  const intent = creationIntent(call, postedPart(inputs), []);
  const why =
    living.length > 1
      ? `${living.length} deployments are named "${inputs.name}" (ids ${idsOf(living)})`
      : await whyNotMade(call, inputs, { ...intent, ...momentSince(stack) }, resource);
  const id = resource.id as string;
  if (why === undefined)
    return { kind: "proven", id, record: () => recordEntry(call, creations, intent, call.moment(), { id }) };
  return adoption ? { kind: "repeatable" } : { kind: "doubtful", why, id };
}

async function whyNotMade(
  call: Call,
  inputs: Inputs,
  creation: Intent & Moment,
  resource: Properties,
): Promise<string | undefined> {
  const { endpoints } = call.service;
  const id = resource.id as string;
  const time = whenMade(resource.created_at, creation, endpoints.clockAhead);
  if (time === undefined) return "it does not say when it was created";
  if (time !== "during") return "it was not created since the stack's last update ended";
  const why = whyNotAsSent(creation, resource, call.profile) ?? whyOtherVariables(call, inputs, resource);
  if (why !== undefined) return why;
  const { length } = await revisionsOf(endpoints, id);
  return length === 1 ? undefined : `it has ${length} revisions, and its creation makes one`;
}

/** Whether a pending update made its revision. `state`: the recorded state; `inputs`: the inputs of the update. */
export async function pendingUpdate(
  call: Call,
  id: string,
  state: State,
  inputs: Inputs,
  stack: StackFacts,
): Promise<Fate> {
  const update = plannedUpdate(call, id, planCall(call, state, inputs));
  if (!revises(update) || isEmpty(update.body)) return { kind: "repeatable" };
  const { updates } = call.run;
  if ((await updates.openEntry(call.key)) !== undefined) return { kind: "journalled" };
  const resource = await call.service.directory.look(id);
  if (resource === undefined) return { kind: "doubtful", why: "the service no longer has it", id };
  const latest = resource.latest_revision_id;
  if (latest === state.latestRevisionId) return { kind: "absent" };
  const newRevision = await revisionShown(resource, { ...update, moment: momentSince(stack) });
  const why =
    newRevision === undefined || newRevision === false
      ? `nothing proves that the update made its latest revision ${latest}`
      : await whyNotItsRevision(update, resource, newRevision);
  if (why !== undefined) return { kind: "doubtful", why, id };
  const moment = momentOf(call, newRevision as Properties);
  const record = () => recordEntry(call, updates, updateIntent(update), moment, answerNote(latest));
  return { kind: "proven", id, revisionId: latest, record };
}

/** Why the revision may be somebody else's; undefined if only the update can have made it. */
async function whyNotItsRevision(
  { call, id, state, inputs, changes, revision }: Update,
  resource: Properties,
  newRevision: Properties,
): Promise<string | undefined> {
  const isVisible = changes.some(
    (change) =>
      /^source(Revision)?Config(\.|$)/.test(change.path) &&
      change.effect !== "kept" &&
      (isEmpty(revision) || touchesRevision(change)),
  );
  const carriesVariables = changes.some(({ path }) => isVariable(path));
  const why = carriesVariables ? whyOtherVariables(call, inputs, resource) : undefined;
  if (why !== undefined || isVisible) return why;
  // If only the new revision shows the update, there must be no other new revision, and pushes must make none.
  const revisions = await revisionsOf(call.service.endpoints, id);
  const isOnlyOne = revisions[0]?.id === newRevision.id && revisions[1]?.id === state.latestRevisionId;
  const isPushed = propertiesIn(resource.source_config).build_on_push === true;
  return isOnlyOne && !isPushed
    ? undefined
    : `the service does not show what the update changes, and its revision ${newRevision.id} may be another's`;
}

/**
 * How the service's variables differ from the variables in the inputs; undefined if the service shows no difference.
 */
function whyOtherVariables({ profile }: Call, inputs: Inputs, resource: Properties): string | undefined {
  const variables = variablesOf(inputs) ?? {};
  const comparable = Object.entries(shownIn(resource, profile)).filter(
    ([name]) => !isSealed(variables[name]),
  );
  return sameNames(Object.keys(variables), resource, profile) &&
    holds(variables, Object.fromEntries(comparable))
    ? undefined
    : "its variables are not those that were sent";
}

/** The killed run may have sent the request at any time after `since`. */
const momentSince = ({ since }: StackFacts): Moment => ({
  sentAt: since,
  expiresAt: Number.POSITIVE_INFINITY,
});

/** The earliest moment at which the request that made the revision could have been sent, given a request's time-out. */
function momentOf(call: Call, revision: Properties): Moment {
  const { endpoints, connection } = call.service;
  const createdAt = Date.parse(String(revision.created_at)) - endpoints.clockAhead;
  return call.moment(
    (Number.isNaN(createdAt) ? call.run.clock.now() : createdAt) - connection.requestTimeoutSeconds * 1000,
  );
}

/** Writes the entry. Throws a RefusedError if the journal lacks the entry afterwards. */
async function recordEntry(call: Call, journal: Journal, intent: Intent, moment: Moment, answer: Answer) {
  await journal.sending(intent, moment);
  await journal.answered(intent, answer);
  const entry = (await journal.openEntry(call.key))?.entry;
  if (entry === undefined || !holds(entry, answer))
    throw call.refuse("the journal does not keep what was proven, so the next update would not know of it");
}
