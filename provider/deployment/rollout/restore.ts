/** `onFailure: "restore"`: brings back the last good revision's settings. After a restore, the update still fails. */
import type { Call } from "../../call";
import type { UnfinishedError } from "../../failure";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../fields/deployment";
import type { ChangeClass, Field, Rows } from "../../fields/kind";
import { SPEC } from "../../fields/resourceSpec";
import {
  isAbsent,
  isProperties,
  mergedOver,
  type Properties,
  propertiesIn,
  valueAt,
  withValueAt,
} from "../../fields/value";
import { rowsFromWire } from "../../fields/wire";
import { escapeControls, sentence } from "../../fields/words";
import { type Entry, restoringOf } from "../../journal/entry";
import { provenValues } from "../../journal/macs";
import type { Profile } from "../../profiles/profiles";
import { type Change, classAt, type Effect, WAS_SECRET } from "../../verdict/changes";
import { say } from "../../verdict/sentences";
import { revisionsOf } from "../../waiting/revisions";
import { FORCING } from "../intent";
import { liveIn } from "../live";
import { planUpdate } from "../plan";
import { plannedUpdate, type Update } from "../request";
import { outputsOf, refreshedState, type Write } from "../state";
import { afterEntry, lookFor } from "../update/doubt";
import { answerNote } from "../update/proof";
import { write as send } from "../update/send";
import { isVariable } from "../variables";
import { type RolloutEnd, rollOut, storyOf } from "./proving";
import { type Good, goodAt, goodIn, isNoted, unprovenIn } from "./record";

/** How to undo a failed write: the last good revision, and the changes to take back. */
export interface RestorePoint {
  /** The state before the write, or before the part of the write that earlier runs sent. */
  readonly state: Properties;
  /** The last good revision that `state` records; undefined if `state` records none. */
  readonly good: Good | undefined;
  /** Paths of arguments in `state` that may have changed since the last good revision was deployed. */
  readonly unproven: readonly string[];
  /** The write's changes that a restore undoes, apart from the revision's own settings. */
  readonly undone: readonly Change[];
  /** The last good revision to record if the write does not end well. */
  readonly note: Good | undefined;
}

export function restorePointOf({ call, olds, before: state = olds, news }: Write): RestorePoint {
  const good = goodIn(state);
  const before = good === undefined ? [] : unprovenIn(state, good);
  const isCreation = Object.keys(state).length === 0;
  const changes = isCreation ? [] : planUpdate(state, news, call.profile, call).changes;
  const undone = changes.filter(({ path, effect }) => isRestored(path, effect));
  const changedPaths = changes.flatMap(({ path, moves }) => (moves || !isNoted(path) ? [] : [path]));
  const changed = [...new Set([...before, ...changedPaths])];
  const note = good && { ...good, generation: news.revisionGeneration, changed };
  const unproven = before.filter((path) => isRestored(path, classOf(path, call.profile)));
  return { state, good, unproven, undone, note };
}

/**
 * Whether a restore brings back the argument. The settings in `sourceRevisionConfig` do not count, because a restore
 * brings back all of them.
 */
const isRestored = (path: string, effect: Effect): boolean =>
  !path.startsWith("sourceRevisionConfig") &&
  (["newRevision", "mayRevise"].includes(effect) || isVariable(path) || `${path}.`.startsWith(`${SPEC}.`));

/** The change class of the argument at this path. The path must be one that a record's `changed` can list. */
function classOf(path: string, profile: Profile): ChangeClass {
  const [section = "", member = ""] = path.split(".");
  const [rows, name]: [Rows, string] =
    section === "sourceConfig" ? [sourceConfigRows, member] : [deploymentRows, section];
  return classAt(path, rows[name] as Field<unknown>, profile);
}

/**
 * Restores the last good settings, waits for the new revision, and throws an UnfinishedError that says how its rollout
 * ended. If the settings cannot be restored, returns the words to add to the error of the failed rollout.
 */
export async function restore(write: Write, failed: RolloutEnd, restorePoint: RestorePoint): Promise<string> {
  const { call } = write;
  const { revisionId: id, status, resource } = failed;
  const good = await goodRevision(write, failed, restorePoint);
  if (typeof good === "string") return ` onFailure is "restore", but ${sentence(good)}`;
  const update = restoringUpdate(write, failed, restorePoint, good);
  const lost = lostFor(restorePoint, update);
  if (lost.length > 0)
    return ` onFailure is "restore", but nothing was restored, since this cannot be brought back: ${lost.join(", ")}.`;
  await call.tell(say.restores({ id, status, good: good.id }));
  const story = `${storyOf(failed)} The settings of the last good revision, ${good.id}, were restored`;
  const end = await sendRestoring(update, resource, story).catch((error: Error) => error.message);
  if (typeof end === "string") return ` Restoring the settings of revision ${good.id} failed too: ${end}`;
  throw end;
}

async function sendRestoring(update: Update, before: Properties, story: string): Promise<UnfinishedError> {
  const { resource, newRevision } = await send(update, before);
  if (newRevision === false) throw new Error("the service made no revision.");
  const current = newRevision === undefined ? resource : { ...resource, latest_revision_id: newRevision.id };
  const news = managedPart(update.news, update.olds);
  return endOf({ ...update, news, revisionId: current.latest_revision_id }, current, newRevision, story);
}

/** Waits for the restored revision, and records its settings, so that the next plan shows the failed change again. */
async function endOf(
  write: Write,
  resource: Properties,
  newRevision: Properties | undefined,
  story: string,
): Promise<UnfinishedError> {
  const { call, id, news } = write;
  const rolloutEnd = await rollOut(write, resource, newRevision);
  const { end, status, revisionId } = rolloutEnd;
  const [state, how, lastGood] =
    end === "deployed"
      ? (["deployed", `deployed as revision ${revisionId}.`, goodAt(revisionId, news)] as const)
      : ([end === "failed" ? "failed" : "unfinished", storyOf(rolloutEnd), undefined] as const);
  const words = `${story}: ${how}`;
  const outputs = outputsOf(write, rolloutEnd.resource, { status, state, lastGood, story: words });
  call.run.updates.reported(restoringOf(call.key));
  return call.unfinished(id, outputs, words);
}

/** The last good revision, as the service lists it, or why its settings are not known. */
async function goodRevision(
  { call, id }: Write,
  { resource, revisionId }: RolloutEnd,
  { state, good }: RestorePoint,
): Promise<Properties | string> {
  const revisions = await revisionsOf(call.service.endpoints, id).catch((error: Error) => error.message);
  if (typeof revisions === "string")
    return `nothing was restored, since the revisions could not be read: ${revisions}`;
  const earlier = revisions.filter((revision) => revision.id !== revisionId);
  // A push may have deployed another revision after the last good one.
  const isActiveGood = good === undefined || state.rolloutState === "deployed";
  const revision =
    earlier.find((each) => isActiveGood && each.id === resource.active_revision_id) ??
    earlier.find((each) => (good === undefined ? each.status === "DEPLOYED" : each.id === good.revision));
  if (revision === undefined && good === undefined)
    return "no revision of it was ever good: nothing to restore";
  if (revision === undefined)
    return `nothing was restored, since the service does not list the last good revision, ${good?.revision}`;
  return isProperties(revision.source_revision_config)
    ? revision
    : `nothing was restored, since the service does not show the settings of revision ${revision.id}`;
}

/** The update that brings back the good revision's settings and the arguments from before the failed update. */
function restoringUpdate(
  write: Write,
  failed: RolloutEnd,
  restorePoint: RestorePoint,
  good: Properties,
): Update {
  const { call, id, news } = write;
  const { profile } = call;
  const config = good.source_revision_config;
  const shownSettings = rowsFromWire(sourceRevisionConfigRows, config, profile, "sourceRevisionConfig");
  const isDescribed = restorePoint.state.describedRevision === good.id;
  const settings = {
    ...(isDescribed ? propertiesIn(restorePoint.state.sourceRevisionConfig) : {}),
    ...shownSettings,
  };
  const target = restorePoint.undone
    .flatMap(placesOf)
    .map((place) => [place, valueAt(restorePoint.state, place)] as const)
    .reduce<unknown>((args, [place, value]) => withValueAt(args, place, value), {
      ...news,
      sourceRevisionConfig: settings,
    });
  const { resource, status } = failed;
  const state = outputsOf(write, resource, { status, state: "not awaited", lastGood: restorePoint.note });
  const plan = planUpdate(state, target as Properties, profile, call);
  const remade = { ...plan, rollout: "remake", verdict: "newRevision" } as const;
  // The restored revision is neither the failed revision nor the latest one before the failed update.
  const entry = {
    key: restoringOf(call.key),
    known: [failed.revisionId, restorePoint.state.latestRevisionId],
  };
  return { ...plannedUpdate(call, id, remade), entry };
}

/**
 * The paths of the values that a restore takes from the state before the write. A variable may have moved between
 * `secrets` and `environment`, so a restore takes both maps.
 */
function placesOf({ path }: Change): string[][] {
  if (isVariable(path)) return [["secrets"], ["environment"], ["secretGenerations"]];
  const names = path.split(".");
  return [names.slice(0, names[0] === "sourceConfig" ? 2 : 1)];
}

/** Whether the state lacks the value that the argument had before the change. */
const lacksValue = ({ path, before }: Change, state: Properties): boolean =>
  before === WAS_SECRET
    ? valueAt(state, ["secrets", path.slice("environment.".length)]) === undefined
    : typeof before === "symbol";

/** Paths whose old values the update cannot bring back, or whose values may have changed since the good revision. */
function lostFor({ state, good, unproven, undone }: RestorePoint, { changes }: Update): string[] {
  const lost = [
    ...undone.filter((change) => good === undefined || lacksValue(change, state)),
    ...changes.filter(({ effect }) => effect === "kept"),
  ];
  return [...new Set([...unproven, ...lost.map(({ path }) => path)])].map(escapeControls);
}

/** The arguments, with only those settings of the revision that the program manages. */
function managedPart(args: Properties, { sourceRevisionConfig }: Properties): Properties {
  const settings = propertiesIn(args.sourceRevisionConfig);
  const names = Object.keys(propertiesIn(sourceRevisionConfig)).filter((name) => !isAbsent(settings[name]));
  return { ...args, sourceRevisionConfig: Object.fromEntries(names.map((name) => [name, settings[name]])) };
}

/**
 * Finishes a restore during which an earlier run was killed: waits for the restored revision, and throws the
 * UnfinishedError that the earlier run would have thrown. Returns normally if no restore is open, or if the restore's
 * request never arrived; the caller then continues the update.
 */
export async function finishRestoring({ call, id, olds, news }: Omit<Write, "body">): Promise<void> {
  const { updates } = call.run;
  const key = restoringOf(call.key);
  const openEntry = await updates.openEntry(key);
  if (openEntry === undefined) return;
  const { file, entry } = openEntry;
  if (entry.id !== id) return updates.drop(key);
  const { resource, newRevision } = await lookFor(afterEntry({ call, id, news }, file, entry));
  if (!newRevision) return updates.drop(key);
  updates.inherit(file, entry);
  // No recorded state can close an entry that has no answer: without this note, each up would finish the restore again.
  if (entry.answer === undefined) await updates.answered(key, answerNote(newRevision.id));
  const live = liveIn(resource, call.profile);
  const args = refreshedState(managedPart(argumentsRestoredBy(entry, call, olds, news), news), live);
  const write = { call, id, olds, news: args, body: {}, revisionId: newRevision.id };
  throw await endOf(
    write,
    { ...resource, latest_revision_id: newRevision.id },
    newRevision,
    "an earlier run was interrupted while it restored the settings of the last good revision",
  );
}

/** The service's arguments after the entry's update. A secret counts as changed unless the journal proves its value. */
function argumentsRestoredBy(entry: Entry, call: Call, olds: Properties, news: Properties): Properties {
  const { secrets, ...otherValues } = provenValues(entry.macs, olds, call.service.connection.macKey);
  const sentArguments = mergedOver(entry.sent, otherValues) as Properties;
  const forcing = Object.fromEntries(FORCING.map((name) => [name, sentArguments[name]]));
  const args = { ...news, ...sentArguments, ...forcing };
  if (entry.carries?.includes("secrets") !== true) return args;
  const { environment } = sentArguments;
  return { ...args, secrets, environment, secretGenerations: olds.secretGenerations };
}
