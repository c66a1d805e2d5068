/** The rollback to an older revision's settings: the arguments to give, and the differences that remain. */
import { goodIn } from "../../provider/deployment/record";
import { classAt } from "../../provider/diff/changes";
import { type Difference, differences, sameValue } from "../../provider/schema/compare";
import { deploymentRows, REVISION_SOURCES, sourceRevisionConfigRows } from "../../provider/schema/deployment";
import type { Arguments } from "../../provider/schema/recorded";
import { isAbsent, type Properties, propertiesIn, valueAt } from "../../provider/schema/value";
import type { History } from "./history";

/** The word for the last good revision, which the command accepts instead of an id. */
export const LAST_GOOD = "last-good";

export type Target = ReturnType<typeof targetOf>;

/**
 * The revision to roll back to, how many revisions are newer, and the argument `sourceRevisionConfig` that makes a
 * new revision with the old settings. Throws an Error if a rollback to this revision is impossible.
 */
export function targetOf(history: History, to: string) {
  const { deployment, name, revisions } = history;
  const id = to === LAST_GOOD ? goodIn(deployment.values) : to.toLowerCase();
  const list = `\`deployment-control revisions ${name}\` lists them`;
  if (id === undefined)
    throw new Error(`the state knows no good revision of "${name}": set --to to an id; ${list}`);
  const stepsBack = revisions.findIndex((revision) => revision.id === id);
  const revision = revisions[stepsBack];
  if (revision === undefined) throw new Error(`the service has no revision ${id} of "${name}"; ${list}`);
  if (to === LAST_GOOD && stepsBack === 0)
    throw new Error(`the newest revision is the last good one by its status: set --to to an id; ${list}`);
  const { settings } = revision;
  if (settings === undefined)
    throw new Error(
      `the service does not show the settings of revision ${id}, so there is no rollback to it`,
    );
  return { revision, stepsBack, settings: argumentsFor(settings, history) };
}

/** Keeps the program's spelling if the service only spells a setting differently. */
function argumentsFor(settings: Properties, { deployment: { values } }: History): Arguments {
  const recorded = propertiesIn(values.sourceRevisionConfig);
  const live = { ...recorded, ...propertiesIn(valueAt(values.observed, ["sourceRevisionConfig"])) };
  const members = Object.keys(sourceRevisionConfigRows).map((name) => [
    name,
    sameValue(settings[name], live[name]) ? recorded[name] : settings[name],
  ]);
  return Object.fromEntries(members.filter(([, value]) => !isAbsent(value)));
}

const { sourceRevisionConfig, revisionSource } = deploymentRows;

/** The changes that the rollback needs in the program's arguments. */
export const changesFor = (target: Target, args: Arguments): Difference[] =>
  differences({ revisionSource, sourceRevisionConfig }, args, {
    revisionSource: revisionSourceFor(target, args),
    sourceRevisionConfig: target.settings,
  });

/** Returns undefined if the deployment's own `source` suffices, or if the program does not set `revisionSource`. */
function revisionSourceFor({ revision: { source } }: Target, args: Arguments): unknown {
  if (isAbsent(args.revisionSource)) return undefined;
  const isSettable = REVISION_SOURCES.some((each) => each === source);
  if (source === args.source && source !== args.revisionSource) return undefined;
  return isSettable ? source : args.revisionSource;
}

function sourceLeft(target: Target, args: Arguments): unknown {
  const { source } = target.revision;
  const next = revisionSourceFor(target, args) ?? args.source;
  return isAbsent(source) || source === next ? undefined : source;
}

export type Remains = ReturnType<typeof remainsOf>;

/** The arguments, the source and the commit that the rollback may not bring back. */
export function remainsOf(target: Target, { deployment: { values }, profile, revisions }: History) {
  const { revision, settings } = target;
  const { repoCommitSha: commit } = propertiesIn(revision.settings);
  const isMoving = !String(settings.repoRef ?? "").startsWith("refs/tags/");
  const isNewest = revisions[0]?.settings?.repoCommitSha === commit;
  return {
    paths: unshownPaths(values, profile),
    source: sourceLeft(target, values),
    commit: isMoving && !isNewest && !isAbsent(commit) ? commit : undefined,
  };
}

/** The program's arguments that no revision shows. A revision shows only its settings and its source. */
function unshownPaths(args: Arguments, profile: History["profile"]): string[] {
  const { sourceRevisionConfig: _settings, revisionSource: _source, ...unshownRows } = deploymentRows;
  const paths = differences(unshownRows, {}, args)
    .filter(({ path, field }) => field.wire !== undefined && classAt(path, field, profile) !== "replace")
    .map(({ names }) => names.slice(0, 2).join("."));
  return [...new Set(paths)];
}

/**
 * The value to set for the key, so that the argument changes from `before` to `after`; undefined if no such value
 * exists. `current`: the key's current value.
 */
export function keyValueFor(current: string, before: unknown, after: unknown): string | undefined {
  if (typeof before !== "string" || typeof after !== "string" || current === "") return undefined;
  const at = before.lastIndexOf(current);
  if (at < 0) return undefined;
  const [head, tail] = [before.slice(0, at), before.slice(at + current.length)];
  const isAround = after.startsWith(head) && after.endsWith(tail) && after.length > head.length + tail.length;
  return isAround ? after.slice(head.length, after.length - tail.length) : undefined;
}
