/**
 * The sentences of a plan and an up: the provider writes them, and the plan report parses them.
 *
 * The provider and the report share the wording in this file. The report parses whole lines, and assumes the worst if a
 * line has any other wording.
 */
import type { Verdict } from "./changes";
import { type Sentence, sentence } from "./wording";

export type Statement =
  /** The effect of an update. `otherwise`: for a possible replacement, the effect if the resource is not replaced. */
  | { readonly meaning: "verdict"; readonly verdict: Verdict; readonly otherwise?: Verdict }
  /** A creation takes over an existing resource. The verdict is undefined if the words do not describe the changes. */
  | { readonly meaning: "adoption"; readonly id: string; readonly verdict: Verdict | undefined }
  /** Whether an update made a revision. */
  | { readonly meaning: "proof"; readonly made: boolean }
  /** The resource was deleted because the engine asked for the deletion. */
  | { readonly meaning: "deletion"; readonly id: string }
  /** A warning that the old deployment is deleted before the new one is created. */
  | { readonly meaning: "downtime" }
  /** Progress of an up, from which the report concludes nothing. */
  | { readonly meaning: "progress" };

/** The reason for a revision that only the up can decide: an earlier run left an update in doubt. */
export const LOOKS_FIRST = "it is not known whether the last update was applied: the update looks first";

const verdictIs = (verdict: Verdict) => (): Statement => ({ meaning: "verdict", verdict });
const proofOf = (isMade: boolean) => (): Statement => ({ meaning: "proof", made: isMade });
const progress = (): Statement => ({ meaning: "progress" });

/** Effects of an update. */
const verdicts = {
  newRevision: sentence("creates a new revision ({...reasons})", verdictIs("newRevision")),
  mayRevise: sentence("may create a new revision ({...reasons})", verdictIs("mayRevise")),
  inPlace: sentence("updates in place, no new revision ({...reasons})", verdictIs("inPlace")),
  /** The update of a resource that has no revisions. */
  inPlaceOnly: sentence("updates in place ({...reasons})", verdictIs("inPlace")),
  replaced: sentence("is replaced ({...reasons})", verdictIs("replace")),
  unchanged: sentence("has no changes", verdictIs("unchanged")),
};

/** Further lines of a plan. */
const plans = {
  newRevisionInDoubt: sentence(
    `creates a new revision ({...reasons}); ${LOOKS_FIRST}`,
    verdictIs("newRevision"),
  ),
  /** An option may keep the old deployment, but the engine does not tell a provider about options. */
  replacedAndDeleted: sentence(
    "is replaced ({...reasons}); the old one, id {id}, is deleted, unless an option keeps it",
    verdictIs("replace"),
  ),
  replacedAndKept: sentence("is replaced ({...reasons}); the old one stays, id {id}", verdictIs("replace")),
  replacedByEngine: sentence("is replaced, because the engine asks for it", verdictIs("replace")),
  resumes: sentence(
    "resumes waiting for revision {id} ({status}), no new revision for that",
    verdictIs("inPlace"),
  ),
  resumesAnd: sentence(
    "resumes waiting for revision {id} ({status}), no new revision for that; also {...also}",
    ({ also }) => parseAmong(verdicts, also),
  ),
  keepsUnmanaged: sentence("{...verdict}; resourceSpec also keeps {...rest}", ({ verdict }) =>
    parse(verdict),
  ),
  finishes: sentence("finishes the update that failed; nothing is sent", verdictIs("inPlace")),
  moves: sentence("moves between the dynamic form and the plugin; nothing is sent", verdictIs("inPlace")),
  tokenReplaced: sentence(
    "is replaced ({...reasons}); the metadata of the token {...token} stays as it is",
    verdictIs("replace"),
  ),
};

const perhapsReplaced = ({ otherwise }: { readonly otherwise: string }): Statement | undefined => {
  const statement = parseAmong({ ...verdicts, ...plans }, otherwise);
  return statement?.meaning === "verdict"
    ? { meaning: "verdict", verdict: "mayReplace", otherwise: statement.verdict }
    : undefined;
};

/** Lines for changes that may replace the resource: only the apply can tell whether they do. */
const perhaps = {
  mayReplace: sentence("may be replaced ({...reasons}); otherwise it {...otherwise}", perhapsReplaced),
  mayReplaceAndDelete: sentence(
    "may be replaced ({...reasons}), and then the old one, id {id}, is deleted, unless an option keeps it; otherwise it {...otherwise}",
    perhapsReplaced,
  ),
  mayReplaceAndKeep: sentence(
    "may be replaced ({...reasons}), and then the old one stays, id {id}; otherwise it {...otherwise}",
    perhapsReplaced,
  ),
  tokenMayBeReplaced: sentence(
    "may be replaced ({...reasons}); otherwise it {...otherwise}; the metadata of the token {...token} stays as it is",
    perhapsReplaced,
  ),
};

/** A plan's lines for a SmokeTest or a Rollout. */
const checks = {
  testReplaced: sentence("is replaced, so it runs again ({...reasons})", progress),
  testRuns: sentence("runs again ({...reasons})", progress),
  testMayRun: sentence("runs again if they differ ({...reasons})", progress),
  testStays: sentence("is not run ({...reasons})", progress),
  rolloutWaits: sentence("waits for the newest revisions of {...count} ({...reasons})", progress),
};

/** Warnings of downtime. */
const downtimes = {
  deletedFirst: sentence(
    "keeps its name, so the old deployment {id} is deleted before the new one is created: it is down meanwhile. If an option of a parent keeps it, the update fails: then change name too",
    (): Statement => ({ meaning: "downtime" }),
  ),
  deletedFirstByOption: sentence(
    "its option deleteBeforeReplace has the old deployment {id} deleted before the new one is created: it is down meanwhile",
    (): Statement => ({ meaning: "downtime" }),
  ),
};

function adoptionWith({ id, verdict }: { readonly id: string; readonly verdict: string }): Statement {
  const effect = parseAmong({ ...perhaps, ...verdicts, ...plans }, verdict);
  return { meaning: "adoption", id, verdict: effect?.meaning === "verdict" ? effect.verdict : undefined };
}

const asItIs = ({ id }: { id: string }): Statement => ({ meaning: "adoption", id, verdict: "unchanged" });

const adoptions = {
  adoptsUnchanged: sentence("takes over the existing deployment {id}; nothing in it changes", asItIs),
  adoptsIfIdentical: sentence(
    "takes over the existing deployment {id} if it is identical; otherwise the update fails ({...reasons})",
    asItIs,
  ),
  adoptsAnd: sentence("takes over the existing deployment {id}; it {...verdict}", adoptionWith),
  /** An adoption in an up whose plan could not name the deployment yet. */
  adopted: sentence(
    "takes over the existing deployment {id}",
    ({ id }): Statement => ({ meaning: "adoption", id, verdict: undefined }),
  ),
  listenerUnchanged: sentence("takes over the existing listener {id}; nothing in it changes", asItIs),
  listenerTakenOver: sentence("takes over the existing listener {id}; {...verdict}", adoptionWith),
};

/** Comparisons of the plan with the effect of the update. Sentences with NOT are warnings. */
const proofs = {
  revisionAsPlanned: sentence("as planned, a new revision: {id}", proofOf(true)),
  partsAsPlanned: sentence(
    "as planned, a new revision: {id}, and no other for what changed in place",
    proofOf(true),
  ),
  noRevisionAsPlanned: sentence("as planned, no new revision (revision {id} stays)", proofOf(false)),
  didRevise: sentence("this update did create a new revision: {id}", proofOf(true)),
  didNotRevise: sentence("this update created no new revision", proofOf(false)),
  revisionMissing: sentence(
    "NOT as planned: the plan said a new revision, but this update created none ({...fields}). {...advice}",
    proofOf(false),
  ),
  revisionUnplanned: sentence(
    "NOT as planned: the plan said no new revision, but this update created revision {id} ({...fields}). {...advice}",
    proofOf(true),
  ),
};

const rollouts = {
  lacksRevisionCall: sentence(
    "the service has no call that makes a revision (POST /v2/deployments/…/revisions): the update is sent by PATCH. To save the attempt, set createRevision to false in profileOverrides.capabilities",
    progress,
  ),
  revisionIs: sentence("revision {id} is {status} after {seconds} s", progress),
  revisionWas: sentence("revision {id} was {status}; following the newer revision {newer}", progress),
  deployed: sentence("revision {id} is DEPLOYED and serves, after {seconds} s", progress),
  verifies: sentence("revision {id} is deployed and must now reply as expected", progress),
  restores: sentence("revision {id} ended {status}; restoring the settings of revision {good}", progress),
  created: sentence("created, id {id}", progress),
  deleted: sentence("deleted (id {id})", ({ id }): Statement => ({ meaning: "deletion", id })),
};

/** Doubts after a lost answer or an interrupted run. */
const doubts = {
  creationUncertain: sentence(
    "it is not certain whether it was made ({...message}); looking for it",
    progress,
  ),
  updateUncertain: sentence(
    "it is not certain whether the update was applied ({...message}); looking",
    progress,
  ),
  creationMayArrive: sentence(
    'an earlier run was interrupted while it created "{...name}", and its request may still arrive: waiting {seconds} s at most',
    progress,
  ),
  creationHasVanished: sentence("an earlier run made {id}, which the service no longer has", progress),
  creationDidNothing: sentence(
    "the interrupted creation of an earlier run made nothing; creating it now",
    progress,
  ),
  requestMayArrive: sentence(
    "an earlier run was interrupted during this creation, and its request may still arrive (journal: {...file})",
    progress,
  ),
  updateMayArrive: sentence(
    "an earlier run was interrupted at an update, and its request may still arrive: waiting {seconds} s at most",
    progress,
  ),
  updateNotProven: sentence(
    "an earlier run was interrupted at an update, and nothing proves that it arrived; sending the rest of it",
    progress,
  ),
  updateTakenOver: sentence(
    "the interrupted update has reached the service (revision {id}): it is taken over, and not sent again",
    progress,
  ),
  restIsSent: sentence(
    "the interrupted update has reached the service (revision {id}); sending the rest of the program's changes",
    progress,
  ),
  restAndSecretsAreSent: sentence(
    "the interrupted update has reached the service (revision {id}); sending the rest of the program's changes, with secrets unless their values can be read",
    progress,
  ),
};

export const sentences = {
  ...perhaps,
  ...verdicts,
  ...plans,
  ...checks,
  ...downtimes,
  ...adoptions,
  ...proofs,
  ...rollouts,
  ...doubts,
};

type Format = { readonly [S in keyof typeof sentences]: (typeof sentences)[S]["format"] };

/** For each sentence, a function that returns the sentence's words without a label. */
export const format = Object.fromEntries(
  Object.entries(sentences).map(([name, each]) => [name, each.format]),
) as unknown as Format;

/** The meaning of a line's words, which come without the label; undefined if no sentence has this wording. */
export const parse = (words: string): Statement | undefined => parseAmong(sentences, words);

function parseAmong(
  among: { readonly [name: string]: Pick<Sentence<string, Statement>, "parse"> },
  words: string,
): Statement | undefined {
  for (const each of Object.values(among)) {
    const statement = each.parse(words);
    if (statement !== undefined) return statement;
  }
  return undefined;
}
