/** Decides which deployments are left over: those that belong to no open pull request and to no stack. */
import { isBeingDeleted } from "../../provider/fields/deployment";
import type { Live } from "../adopt/read/account";
import { patternOf } from "../adopt/read/selection";
import type { Source } from "../adopt/read/stack";
import { pendingStateIn } from "../recover/state";

/** The list of names to keep. */
export interface Keep {
  readonly source: string;
  readonly names: ReadonlySet<string>;
  /** When the list was written, by this machine's clock. */
  readonly writtenAt: number;
}

/** The ids and names of deployments in the state of a stack. */
interface Claim {
  readonly source: string;
  readonly ids: ReadonlySet<string>;
  /** The names of deployments whose creation the state records as pending. */
  readonly names: ReadonlySet<string>;
}

export interface Judged {
  readonly live: Live;
  /** The reason to keep the deployment; undefined if the deployment is left over. */
  readonly reason: string | undefined;
}

/** The minimum number of characters before the first wildcard: a shorter beginning would match more than previews. */
const SHORTEST_PREFIX = 3;

/** The pattern for names of previews. Throws an Error for a pattern that could match any name. */
export function previewPattern(glob: string): RegExp {
  const [prefix = ""] = /^[^*?]*/.exec(glob) ?? [];
  if (prefix.trim().length >= SHORTEST_PREFIX) return patternOf(glob);
  throw new Error(
    `--match: got ${JSON.stringify(glob)}, which would match deployments that are not previews; allowed: a pattern whose first * or ? has at least ${SHORTEST_PREFIX} characters before it, such as 'chat-pr-*'`,
  );
}

/**
 * Reads a list of names, one per line; a line that begins with # is a comment unless it matches the pattern. Throws an
 * Error if the list is empty, because a failed command leaves an empty file, or if a name does not match the pattern,
 * because such a name would protect no deployment.
 */
export function keepIn({ text, name: source }: Source, glob: string, writtenAt: number): Keep {
  const pattern = patternOf(glob);
  const lines = text.split(/\r?\n/).map((line, index) => ({ number: index + 1, name: line.trim() }));
  const filledLines = lines.filter(({ name }) => name !== "");
  if (filledLines.length === 0)
    throw new Error(
      `--keep: ${source} is empty, as it is when the command that lists the open requests has failed; if none is open, write a comment into it, such as "# none is open"`,
    );
  // A line that begins with # is a name if it matches the pattern, otherwise a comment.
  const nameLines = filledLines.filter(({ name }) => !name.startsWith("#") || pattern.test(name));
  const stray = nameLines.find(({ name }) => !pattern.test(name));
  if (stray !== undefined)
    throw new Error(
      `--keep: ${source}: line ${stray.number}: ${JSON.stringify(stray.name)} does not match ${JSON.stringify(glob)}, so it would keep nothing; allowed: the names of deployments, one a line`,
    );
  return { source, names: new Set(nameLines.map(({ name }) => comparable(name))), writtenAt };
}

/** Prepares a name for comparison: an editor and a service may write the same letter with different code points. */
const comparable = (name: string): string => name.normalize().trim();

/**
 * The deployments in a stack's export. Throws an Error that names the place of a fault, and a RefusedError if a newer
 * version wrote the state.
 */
export function claimIn(source: Source): Claim {
  const { ids, operations } = pendingStateIn(source);
  const creations = operations.filter(
    ({ type, resource }) => type === "creating" && resource === "Deployment",
  );
  return {
    source: source.name,
    ids: new Set([...ids].map((id) => id.toLowerCase())),
    names: new Set(creations.map(({ inputs: { values } }) => String(values.name))),
  };
}

/**
 * The deployments whose names match the pattern, in the order of their names, each with a reason if it stays.
 * `clockAhead`: how far the service's clock is ahead of this machine's, in ms.
 */
export function judge(
  deployments: readonly Live[],
  pattern: RegExp,
  keep: Keep,
  claims: readonly Claim[],
  clockAhead: number,
): Judged[] {
  return deployments
    .filter(({ values: { name } }) => pattern.test(String(name ?? "")))
    .map((live) => ({ live, reason: reasonOf(live, keep, claims, clockAhead) }))
    .sort((first, second) =>
      String(first.live.values.name).localeCompare(String(second.live.values.name), "en"),
    );
}

/** How far a file's time may be off, because file times are coarser than the clock. */
const TOLERANCE_MS = 1000;
/** The smallest difference between the two clocks that counts; the delay of an answer may cause a smaller one. */
const SMALLEST_DIFFERENCE_MS = 60_000;

function reasonOf({ id, values }: Live, keep: Keep, claims: readonly Claim[], clockAhead: number) {
  const name = String(values.name);
  if (keep.names.has(comparable(name))) return `${keep.source} names it`;
  const claim = claims.find(({ ids, names }) => ids.has(id.toLowerCase()) || names.has(name));
  if (claim !== undefined) return `the state in ${claim.source} names it`;
  if (isBeingDeleted(values.status)) return "is being deleted already";
  const createdAt = Date.parse(String(values.createdAt));
  if (Number.isNaN(createdAt)) return "the service does not say when it was created";
  const difference = Math.abs(clockAhead) < SMALLEST_DIFFERENCE_MS ? 0 : clockAhead;
  return createdAt - difference > keep.writtenAt + TOLERANCE_MS
    ? `was created after ${keep.source} was written`
    : undefined;
}
