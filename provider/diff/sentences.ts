/**
 * The sentences that a plan and `pulumi up` print.
 *
 * A line about a resource begins with one of the phrases below. The plan report reads only this phrase, so the rest
 * of the line can change freely. A plan's line without a leading phrase counts as a possible revision.
 */
import { sentence } from "./wording";

export const PHRASES = {
  newRevision: "creates a new revision",
  mayRevise: "may create a new revision",
  inPlace: "updates in place",
  replace: "is replaced",
  /** Followed by the phrase for the effect if the resource is not replaced. */
  mayReplace: "may be replaced; otherwise it ",
  unchanged: "has no changes",
  resumes: "resumes waiting for revision",
  sendsNothing: "sends nothing:",
  takesOver: "takes over the existing",
  create: "is created",
  /** A warning: the old deployment is deleted before the new one is created. */
  isDown: "is down meanwhile:",
} as const;

/** The beginning of a warning that an update removes foreign variables. A plan's digest includes this text. */
export const REMOVES_FOREIGN = "sending its secrets removes variables that the program does not set";

/** How the reasons for a revision begin if an earlier update left work undone. */
export const OWED = {
  /** The revision failed. */
  remake: "makes it again:",
  /** An earlier run left the update in doubt. Only `pulumi up` can find out what is left to do. */
  doubt: "it is not known whether the last update was applied: the update looks first",
} as const;

/** For each sentence, a function that returns the sentence's words without a label. */
export const format = {
  // Effects of an update.
  newRevision: sentence(`${PHRASES.newRevision} ({...reasons})`),
  mayRevise: sentence(`${PHRASES.mayRevise} ({...reasons})`),
  inPlace: sentence(`${PHRASES.inPlace}, no new revision ({...reasons})`),
  /** The update of a resource that has no revisions. */
  inPlaceOnly: sentence(`${PHRASES.inPlace} ({...reasons})`),
  replaced: sentence(`${PHRASES.replace} ({...reasons})`),
  unchanged: sentence(PHRASES.unchanged),

  // Other lines of a plan. `otherwise` and `verdict` are sentences about the effect of an update.
  /** `fate`: what happens to the old resource. */
  replacedWith: sentence(`${PHRASES.replace} ({...reasons}); {...fate}`),
  replacedByEngine: sentence(`${PHRASES.replace}, because the engine asks for it`),
  mayReplace: sentence(`${PHRASES.mayReplace}{...otherwise}; replaced if it differs ({...reasons})`),
  mayReplaceWith: sentence(`${PHRASES.mayReplace}{...otherwise}; if replaced ({...reasons}), {...fate}`),
  /** An option may keep the old resource, but the engine does not tell a provider about options. */
  oldIsDeleted: sentence("the old one, id {id}, is deleted, unless an option keeps it"),
  oldDeploymentIsDeleted: sentence(
    "the old one, id {id}, is deleted with its threads and its URL, unless an option keeps it",
  ),
  oldStays: sentence("the old one stays, id {id}"),
  resumes: sentence(`${PHRASES.resumes} {id} ({status}), no new revision for that`),
  alsoResumes: sentence(
    "{...verdict}; also resumes waiting for revision {id} ({status}), no new revision for that",
  ),
  keepsUnmanaged: sentence("{...verdict}; resourceSpec also keeps {...rest}"),
  sendsNothing: sentence(`${PHRASES.sendsNothing} {...why}`),

  // A plan's lines for a SmokeTest or a Rollout.
  testReplaced: sentence("is replaced, so it runs again ({...reasons})"),
  testRuns: sentence("runs again ({...reasons})"),
  testMayRun: sentence("runs again if they differ ({...reasons})"),
  testStays: sentence("is not run ({...reasons})"),
  rolloutWaits: sentence("waits for the newest revisions of {...count} ({...reasons})"),

  // Warnings of downtime.
  deletedFirst: sentence(
    `${PHRASES.isDown} it keeps its name, so the old deployment {id} is deleted before the new one is created. If an option such as retainOnDelete keeps it, the update fails: then change name too`,
  ),
  deletedFirstByOption: sentence(
    `${PHRASES.isDown} its option deleteBeforeReplace has the old deployment {id} deleted before the new one is created`,
  ),

  // Adoptions.
  adoptsUnchanged: sentence(`${PHRASES.takesOver} deployment {id}; nothing in it changes`),
  adoptsIfIdentical: sentence(
    `${PHRASES.takesOver} deployment {id} if it is identical; otherwise the update fails ({...reasons})`,
  ),
  adoptsAnd: sentence(`${PHRASES.takesOver} deployment {id}; it {...verdict}`),
  /** An adoption that the plan did not announce. */
  adopted: sentence(`${PHRASES.takesOver} deployment {id}`),
  listenerCreated: sentence(`${PHRASES.create} by {...whom}: the service has no such listener`),
  listenerUnchanged: sentence(`${PHRASES.takesOver} listener {id}; nothing in it changes`),
  listenerTakenOver: sentence(`${PHRASES.takesOver} listener {id}; {...verdict}`),

  // Comparisons of the plan with the effect of the update. Sentences with NOT are warnings.
  revisionAsPlanned: sentence("as planned, a new revision: {id}"),
  partsAsPlanned: sentence("as planned, a new revision: {id}, and no other for what changed in place"),
  noRevisionAsPlanned: sentence("as planned, no new revision (revision {id} stays)"),
  didRevise: sentence("this update did create a new revision: {id}"),
  didNotRevise: sentence("this update created no new revision"),
  revisionMissing: sentence(
    "NOT as planned: the plan said a new revision, but this update created none ({...fields}). {...advice}",
  ),
  revisionUnplanned: sentence(
    "NOT as planned: the plan said no new revision, but this update created revision {id} ({...fields}). {...advice}",
  ),

  // An update and its rollout.
  lacksRevisionCall: sentence(
    "the service has no call that makes a revision (POST /v2/deployments/…/revisions): the update is sent by PATCH. To save the attempt, set createRevision to false in profileOverrides.capabilities",
  ),
  keepsRelease: sentence("sends as the service has it now, because another tool has changed it: {...paths}"),
  revisionIs: sentence("revision {id} is {status} after {seconds} s"),
  revisionWas: sentence("revision {id} was {status}; following the newer revision {newer}"),
  deployed: sentence("revision {id} is DEPLOYED and serves, after {seconds} s"),
  verifies: sentence("revision {id} is deployed and must now reply as expected"),
  bakes: sentence("revision {id} is deployed and must now reply as expected for {seconds} s"),
  restores: sentence("revision {id} ended {status}; restoring the settings of revision {good}"),
  nameIsTaken: sentence("the deletion has not freed the name yet; creates it in {seconds} s"),
  created: sentence("created, id {id}"),
  deleted: sentence("deleted (id {id})"),

  // Doubts after a lost answer or an interrupted run.
  answerLost: sentence(
    "it is not certain whether the request took effect ({...message}); looking for its result",
  ),
  creationMayArrive: sentence(
    'an earlier run was interrupted while it created "{...name}", and its request may still arrive: waiting {seconds} s at most',
  ),
  creationHasVanished: sentence("an earlier run made {id}, which the service no longer has"),
  creationDidNothing: sentence("the interrupted creation of an earlier run made nothing; creating it now"),
  requestMayArrive: sentence(
    "an earlier run was interrupted during this creation, and its request may still arrive (journal: {...file})",
  ),
  updateMayArrive: sentence(
    "an earlier run was interrupted at an update, and its request may still arrive: waiting {seconds} s at most",
  ),
  updateNotProven: sentence(
    "an earlier run was interrupted at an update, and nothing proves that it arrived; sending the rest of it",
  ),
  restoreTakenOver: sentence(
    "an earlier run was interrupted while it restored the settings of the last good revision; they are back, as revision {id}",
  ),
  updateTakenOver: sentence("the service already has the update (revision {id}): it is not sent again"),
  restIsSent: sentence(
    "the service already has a part of the update (revision {id}); sending the rest of the program's changes",
  ),
};

type Phrase = keyof typeof PHRASES;

export interface Beginning {
  readonly phrase: Phrase;
  /** Whether an earlier update failed or is in doubt. */
  readonly isOwed: boolean;
  /** For a possible replacement: the phrase that says what happens if the resource is not replaced. */
  readonly otherwise?: Phrase;
}

/** Reads the beginning of a line whose label is already removed. Undefined if the line has no leading phrase. */
export function beginningOf(words: string): Beginning | undefined {
  const names = Object.keys(PHRASES) as Phrase[];
  const phrase = names.find((name) => words.startsWith(PHRASES[name]));
  if (phrase === undefined) return undefined;
  const rest = words.slice(PHRASES[phrase].length);
  const isOwed = Object.values(OWED).some((reason) => rest.startsWith(` (${reason}`));
  if (phrase !== "mayReplace") return { phrase, isOwed };
  const inner = beginningOf(rest);
  return inner && { phrase, isOwed: inner.isOwed, otherwise: inner.phrase };
}
