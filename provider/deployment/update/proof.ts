/** Decides which revision a request made: after its answer, after a lost answer, or in the next run. */

import { touchesRevision } from "../../diff/changes";
import { correctionOf, describeChanges } from "../../diff/describe";
import { format } from "../../diff/sentences";
import type { Answer, Moment } from "../../journal/entry";
import { whenMade } from "../../journal/moment";
import { findRevision, revisionsOf } from "../../polling/revisions";
import { PROFILES, type Profile } from "../../profiles/profiles";
import { holds, isFormOf, sameValue } from "../../schema/compare";
import { deploymentRows } from "../../schema/deployment";
import { type Properties, propertiesIn, withValueAt } from "../../schema/value";
import { rowsFromWire } from "../../schema/wire";
import { placeOf, sameNames, sameVariable, shownIn, specIn } from "../live";
import { planUpdate } from "../plan";
import { isEmpty, type Update } from "../request";
import type { Write } from "../state";

/**
 * The revision that a PATCH made, as the service lists it; false if the PATCH made none; undefined if it is unknown
 * whether the PATCH made one.
 */
export type NewRevision = Properties | false | undefined;

/**
 * Finds the revision made by the PATCH that was sent at `moment`. `latest`: the revision that the service now names as
 * the latest. If `latest` is the recorded revision, the PATCH made no revision; otherwise, reads the revisions once. A
 * revision that is older than the PATCH, or too new to be its result, was made by a push.
 */
export async function revisionMade(
  { call, id, state }: Pick<Write, "call" | "id" | "state">,
  moment: Moment,
  latest: unknown,
): Promise<NewRevision> {
  const isNamed = typeof latest === "string";
  if (isNamed && latest === state.latestRevisionId) return false;
  const { endpoints } = call.service;
  const listedRevision = isNamed
    ? await findRevision(endpoints, id, latest)
    : (await revisionsOf(endpoints, id))[0];
  // A revision that is not listed yet, or has no creation time, counts as new.
  const revision = listedRevision ?? (isNamed ? { id: latest } : undefined);
  if (revision === undefined) return undefined;
  const time = whenMade(revision.created_at, moment, endpoints.clockAhead) ?? "during";
  if (time === "during") return revision;
  return isNamed ? false : undefined;
}

/**
 * The deployment as it is now, and the update's revision; `newRevision` is undefined if the deployment does not show
 * the update.
 */
export interface Observation {
  readonly resource: Properties;
  readonly newRevision: NewRevision;
}

/** The latest revision in the service's answer, as the journal records it. */
export function answerNote(latest: unknown): Required<Pick<Answer, "answer">> {
  return { answer: typeof latest === "string" ? latest : null };
}

/** A request whose result the provider looks for on the service. */
export interface SentRequest extends Pick<Write, "call" | "id" | "state"> {
  /** The request's body; undefined if it is unknown. */
  readonly body: Properties | undefined;
  readonly moment: Moment;
  /** Whether the request certainly makes no revision; false by default. */
  readonly isInPlace?: boolean;
  /** The latest revision in the service's answer; null if the answer named none; undefined if no answer is recorded. */
  readonly answer?: string | null | undefined;
}

/** Reads the deployment, and looks for the request's result; undefined if the deployment is gone. */
export async function observe(request: SentRequest): Promise<Observation | undefined> {
  const resource = await request.call.service.directory.fresh(request.id);
  return resource && { resource, newRevision: await revisionShown(resource, request) };
}

/** The revision that the request made; undefined if the deployment does not show the request's effect. */
export async function revisionShown(resource: Properties, request: SentRequest): Promise<NewRevision> {
  const { body, moment, isInPlace, answer } = request;
  if (body === undefined) return undefined;
  const latest = resource.latest_revision_id;
  if (answer !== undefined) return (await revisionMade(request, moment, answer ?? latest)) ?? false;
  const comparableBody = isInPlace ? body : withoutRemovedMembers(body, request.call.profile);
  const sections = ["source_config", "source_revision_config"];
  // A revision made while the request could arrive counts as made by the request, even if the service shows a resolved
  // form of the values sent.
  const isSame = !isInPlace && Number.isFinite(moment.expiresAt) ? isFormOf : sameValue;
  if (!sections.every((section) => holds(resource[section], comparableBody[section], isSame)))
    return undefined;
  if (isInPlace) return false;
  // Without a new revision, nothing proves that the update arrived, because the service hides secrets.
  return typeof latest === "string" ? (await revisionMade(request, moment, latest)) || undefined : undefined;
}

const { secrets, secretReferences } = deploymentRows;

/**
 * Whether the service has the variables and references that were sent, as far as it shows them. If the variables are
 * missing, somebody's push at the same moment made the revision.
 */
export function showsLists(resource: Properties, body: Properties, profile: Profile): boolean {
  const sentLists = rowsFromWire({ secrets, secretReferences }, body, profile);
  const liveLists = rowsFromWire({ secretReferences }, resource, profile);
  const variables = sentLists.secrets === undefined ? undefined : propertiesIn(sentLists.secrets);
  const hasVariables =
    variables === undefined ||
    (sameNames(Object.keys(variables), resource, profile) &&
      holds(variables, shownIn(resource, profile), sameVariable));
  const isUnshown = [sentLists.secretReferences, liveLists.secretReferences].includes(undefined);
  return hasVariables && (isUnshown || sameValue(liveLists.secretReferences, sentLists.secretReferences));
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
