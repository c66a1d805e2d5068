/** Decides which revision a request made: after its answer, after a lost answer, or in the next run. */

import type { Call } from "../../call";
import { touchesRevision } from "../../diff/changes";
import { correctionOf, describeChanges } from "../../diff/describe";
import { format } from "../../diff/sentences";
import { type Candidate, resolve, type Tried } from "../../journal/resolve";
import { findRevision, revisionsOf } from "../../polling/revisions";
import { PROFILES, type Profile } from "../../profiles/profiles";
import { holds, isFormOf, sameValue } from "../../schema/compare";
import { deploymentRows } from "../../schema/deployment";
import { type Properties, propertiesIn, withValueAt } from "../../schema/value";
import { rowsFromWire } from "../../schema/wire";
import { hasVariables, placeOf, specIn } from "../live";
import { planUpdate } from "../plan";
import { isEmpty, type Update } from "../request";
import type { Write } from "../state";

/**
 * The revision that a request made, as the service lists it; false if the request made none; undefined if it is unknown
 * whether the request made one.
 */
export type NewRevision = Properties | false | undefined;

/** The latest revision in the service's answer, as an attempt records it. */
export const latestIn = (latest: unknown): string | null => (typeof latest === "string" ? latest : null);

/**
 * The deployment as it is now, and the update's revision; `newRevision` is undefined if the deployment does not show
 * the update.
 */
export interface Observation {
  readonly resource: Properties;
  readonly newRevision: NewRevision;
}

/** The contents of a request, as far as they are known. */
export interface Sent {
  readonly body: Properties;
  /** The variables whose values are known. */
  readonly variables: Properties;
}

/**
 * The revision that the update made. `resource`: the deployment, read since. `sent`: what the deployment must show;
 * undefined after an answer, because the answer by itself proves that the update arrived. Reads the revisions
 * once, unless the latest one is known.
 */
export async function revisionMade(
  call: Call,
  id: string,
  attempt: Tried,
  resource: Properties,
  sent?: Sent,
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
  const difference = sent && !isKnown ? await differenceOf(call, id, attempt, resource, sent) : undefined;
  const candidate: Candidate = { id: revision.id, createdAt: revision.created_at, difference };
  const seen = { candidates: [candidate], now: call.run.clock.now(), clockAhead: endpoints.clockAhead };
  const finding = resolve(attempt, seen);
  if (finding.kind !== "applied") return undefined;
  if (finding.made !== undefined) return revision;
  return isNamed ? false : undefined;
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
  if (attempt.answer === undefined)
    return { resource, newRevision: await revisionMade(call, id, attempt, resource, sent) };
  return { resource, newRevision: (await revisionMade(call, id, attempt, resource)) ?? false };
}

/**
 * Why the deployment's latest revision may be another's; undefined if only the update can have made it. A revision made
 * while the request could arrive counts as made by the request, even if the service shows a resolved form of the values
 * sent. A pending request could have arrived at any time since the last update, so that its proof is stricter.
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
  const comparable = { ...sent, body: withoutRemovedMembers(sent.body, call.profile) };
  const isSame = evidence === undefined ? isFormOf : sameValue;
  const difference = shownDifference(call, attempt, resource, comparable, isSame);
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
  { body, variables }: Sent,
  isSame: typeof sameValue,
): string | undefined {
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

/** The body, without the spec members that the body removes: the service may show defaults for these members. */
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

/** Compares the plan with what the service did. A difference means that the table of change classes is wrong. */
export async function proveThePlan(update: Update, newRevision: NewRevision): Promise<void> {
  const { call, verdict } = update;
  if (newRevision === undefined) return;
  const id = newRevision ? newRevision.id : update.state.latestRevisionId;
  if (verdict === "mayRevise")
    return call.tell(newRevision ? format.didRevise({ id }) : format.didNotRevise());
  const predicted = verdict === "newRevision";
  if (predicted === (newRevision !== false))
    return call.tell(format[newRevision ? asPlanned(update) : "noRevisionAsPlanned"]({ id }));
  return call.warn(refutation(update, predicted, id));
}

const asPlanned = ({ patch, revision }: Update) =>
  isEmpty(patch) || isEmpty(revision) ? "revisionAsPlanned" : "partsAsPlanned";

function refutation(update: Update, predicted: boolean, id: unknown) {
  const { call, changes } = update;
  const fields = describeChanges(predicted ? changes.filter(touchesRevision) : changes, call.hidden);
  const rightClass = predicted ? "inPlace" : "newRevision";
  const fitting = profileWith(rightClass, update);
  const advice = correctionOf(call.profile.name, changes[0]?.path ?? "", rightClass, fitting);
  return predicted
    ? format.revisionMissing({ fields, advice })
    : format.revisionUnplanned({ id, fields, advice });
}

/** The name of another profile under which the update's plan would have the verdict `verdict`. */
const profileWith = (verdict: "inPlace" | "newRevision", { call, state, inputs }: Update) =>
  Object.entries(PROFILES).find(
    ([name, profile]) => name !== call.profile.name && planUpdate(state, inputs, profile).verdict === verdict,
  )?.[0];
