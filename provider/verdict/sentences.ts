/**
 * The sentences of a plan and an up: the provider says them, and the plan report hears them.
 *
 * The words of a sentence stand here once, and both sides are made of them. A line is heard from its first word to its
 * last, so that words which no sentence has are not understood. Who hears such a line must expect the worst.
 */
import { escapeControls, uncolored } from "../fields/words";
import type { Verdict } from "./changes";
import { joined, type MarkedWords, ours, type Sentence, sentence, type Words } from "./wording";

export type Heard =
  /** What an update does; `otherwise`, where it may be replaced and is not. */
  | { readonly meaning: "verdict"; readonly verdict: Verdict; readonly otherwise?: Verdict }
  /** A creation takes over what exists. Its verdict is undefined where the words do not tell what changes. */
  | { readonly meaning: "adoption"; readonly id: string; readonly verdict: Verdict | undefined }
  /** Whether an update made a revision. */
  | { readonly meaning: "proof"; readonly made: boolean }
  /** The engine had it deleted, and it is gone. */
  | { readonly meaning: "deletion"; readonly id: string }
  /** A warning that it is deleted before the new one is created. */
  | { readonly meaning: "downtime" }
  /** How an up proceeds, which decides nothing. */
  | { readonly meaning: "progress" };

const planned = (verdict: Verdict) => (): Heard => ({ meaning: "verdict", verdict });
const proven = (made: boolean) => (): Heard => ({ meaning: "proof", made });
const progress = (): Heard => ({ meaning: "progress" });

/** What an update does, in the words of its changes. */
const verdicts = {
  newRevision: sentence("creates a new revision ({...reasons})", planned("newRevision")),
  mayRevise: sentence("may create a new revision ({...reasons})", planned("mayRevise")),
  inPlace: sentence("updates in place, no new revision ({...reasons})", planned("inPlace")),
  /** Of a resource that has no revisions. */
  inPlaceOnly: sentence("updates in place ({...reasons})", planned("inPlace")),
  replaced: sentence("is replaced ({...reasons})", planned("replace")),
  unchanged: sentence("has no changes", planned("unchanged")),
};

/** What is said of a plan beyond its changes. */
const plans = {
  newRevisionInDoubt: sentence(
    "creates a new revision ({...reasons}); it is not known whether the last update was applied: the up looks first",
    planned("newRevision"),
  ),
  /** The engine may have been told otherwise by an option of which it tells no provider. */
  replacedAndDeleted: sentence(
    "is replaced ({...reasons}); the old one, id {id}, is deleted, unless an option keeps it",
    planned("replace"),
  ),
  replacedAndKept: sentence("is replaced ({...reasons}); the old one stays, id {id}", planned("replace")),
  resumes: sentence(
    "resumes waiting for revision {id} ({status}), no new revision for that",
    planned("inPlace"),
  ),
  resumesAnd: sentence(
    "resumes waiting for revision {id} ({status}), no new revision for that; also {...also}",
    ({ also }) => heardAmong(verdicts, also),
  ),
  finishes: sentence("finishes the update that failed; nothing is sent", planned("inPlace")),
  moves: sentence("moves from the dynamic form to the plugin; nothing is sent", planned("inPlace")),
  tokenReplaced: sentence(
    "is replaced ({...reasons}); the metadata of the token {...token} stays as it is",
    planned("replace"),
  ),
};

const perhapsReplaced = ({ otherwise }: { readonly otherwise: string }): Heard | undefined => {
  const heard = heardAmong({ ...verdicts, ...plans }, otherwise);
  return heard?.meaning === "verdict"
    ? { meaning: "verdict", verdict: "mayReplace", otherwise: heard.verdict }
    : undefined;
};

/** Where only the apply knows what would replace it. */
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

/** What a plan says of a SmokeTest or a Rollout. */
const checks = {
  testReplaced: sentence("is replaced, so it runs again ({...reasons})", progress),
  testRuns: sentence("runs again ({...reasons})", progress),
  testMayRun: sentence("runs again if they differ ({...reasons})", progress),
  testStays: sentence("is not run ({...reasons})", progress),
  rolloutWaits: sentence("waits for the newest revisions of {...count} ({...reasons})", progress),
};

/** Said as warnings: an option that keeps the old one, of which no provider is told, makes the up fail. */
const downtimes = {
  deletedFirst: sentence(
    "keeps its name, so the old deployment {id} is deleted before the new one is created: it is down meanwhile. Where an option of a parent or of a transformation keeps it, the up fails: then change name too",
    (): Heard => ({ meaning: "downtime" }),
  ),
  deletedFirstByOption: sentence(
    "its option deleteBeforeReplace has the old deployment {id} deleted before the new one is created: it is down meanwhile",
    (): Heard => ({ meaning: "downtime" }),
  ),
};

const adoptions = {
  adoptsUnchanged: sentence(
    "takes over the existing deployment {id}; nothing in it changes",
    ({ id }): Heard => ({ meaning: "adoption", id, verdict: "unchanged" }),
  ),
  adoptsAnd: sentence(
    "takes over the existing deployment {id}; it {...verdict}",
    ({ id, verdict }): Heard => {
      const heard = heardAmong({ ...perhaps, ...verdicts }, verdict);
      return { meaning: "adoption", id, verdict: heard?.meaning === "verdict" ? heard.verdict : undefined };
    },
  ),
  /** By an up, which has said before what it changes. */
  adopted: sentence(
    "takes over the existing deployment {id}",
    ({ id }): Heard => ({ meaning: "adoption", id, verdict: undefined }),
  ),
  listenerTakenOver: sentence("takes over the existing listener {id}", progress),
};

/** The plan held against what the service did. Those in capitals are said as warnings. */
const proofs = {
  revisionAsPlanned: sentence("as planned, a new revision: {id}", proven(true)),
  noRevisionAsPlanned: sentence("as planned, no new revision (revision {id} stays)", proven(false)),
  didRevise: sentence("this update did create a new revision: {id}", proven(true)),
  didNotRevise: sentence("this update created no new revision", proven(false)),
  revisionMissing: sentence(
    "NOT as planned: the plan said a new revision, but this update created none ({...fields}). {...advice}",
    proven(false),
  ),
  revisionUnplanned: sentence(
    "NOT as planned: the plan said no new revision, but this update created revision {id} ({...fields}). {...advice}",
    proven(true),
  ),
};

const rollouts = {
  revisionIs: sentence("revision {id} is {status} after {seconds} s", progress),
  revisionWas: sentence("revision {id} was {status}; following the newer revision {newer}", progress),
  deployed: sentence("revision {id} is DEPLOYED and serves, after {seconds} s", progress),
  restores: sentence("revision {id} ended {status}; restoring the settings of revision {good}", progress),
  created: sentence("created, id {id}", progress),
  deleted: sentence("deleted (id {id})", ({ id }): Heard => ({ meaning: "deletion", id })),
};

/** What a lost answer or an interrupted run has left in doubt. */
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
    "what an earlier run was interrupted at has made nothing; creating it now",
    progress,
  ),
  requestMayArrive: sentence(
    "an earlier run was interrupted while it created it, and its request may still arrive (journal: {...file})",
    progress,
  ),
  updateMayArrive: sentence(
    "an earlier run was interrupted at an update, and its request may still arrive: waiting {seconds} s at most",
    progress,
  ),
  updateNotProven: sentence(
    "an earlier run was interrupted at an update that the service does not provably have; sending what is left of it",
    progress,
  ),
  updateTakenOver: sentence(
    "the interrupted update has reached the service (revision {id}): it is taken over, and not sent again",
    progress,
  ),
  restIsSent: sentence(
    "the interrupted update has reached the service (revision {id}); what it lacks of the program is sent",
    progress,
  ),
  restAndSecretsAreSent: sentence(
    "the interrupted update has reached the service (revision {id}); what it lacks of the program is sent, secrets among it unless their values can be read",
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

type Say = { readonly [S in keyof typeof sentences]: (typeof sentences)[S]["say"] };

/** Makes the words of each sentence, without a label. */
export const say = Object.fromEntries(
  Object.entries(sentences).map(([name, each]) => [name, each.say]),
) as unknown as Say;

/** What the words mean, without a label; undefined where they are not understood. */
export const hear = (words: string): Heard | undefined => heardAmong(sentences, words);

function heardAmong(
  among: { readonly [name: string]: Pick<Sentence<string, Heard>, "hear"> },
  words: string,
): Heard | undefined {
  for (const each of Object.values(among)) {
    const heard = each.hear(words);
    if (heard !== undefined) return heard;
  }
  return undefined;
}

/** What stands before a line: `deployment "chat"`. */
export const labelOf = (kind: string, name: string): string => `${kind} "${escapeControls(name)}"`;

/** A line as it is said: `deployment "chat": has no changes`. The engine itself shows the name, whatever it is. */
export const labelled = (label: string, words: Words): MarkedWords => joined([ours(`${label}: `), words]);

/** The words of a line that has this very label; undefined where it has not. */
export function unlabelled(label: string, line: string): string | undefined {
  const start = uncolored(String(labelled(label, "")));
  return line.startsWith(start) ? line.slice(start.length) : undefined;
}
