/** Judges which deployments are left over: no open request and no stack has them. */
import { isBeingDeleted } from "../../provider/fields/deployment";
import type { Live } from "../adopt/read/account";
import { patternOf } from "../adopt/read/selection";
import type { Source } from "../adopt/read/stack";
import { pendingStateIn } from "../recover/state";

/** The names that stay. */
export interface Keep {
  readonly source: string;
  readonly names: ReadonlySet<string>;
  /** When the list was written, by this machine's clock. */
  readonly writtenAt: number;
}

/** The deployments that the state of a stack names. */
interface Claim {
  readonly source: string;
  readonly ids: ReadonlySet<string>;
  /** Names of deployments that a run of the stack was creating. */
  readonly names: ReadonlySet<string>;
}

export interface Judged {
  readonly live: Live;
  /** Why it stays; undefined if it is left over. */
  readonly reason: string | undefined;
}

/** A pattern with a shorter beginning would match more than the names of previews. */
const SHORTEST_PREFIX = 3;

/** Throws an Error for a pattern that may match anything. */
export function previewPattern(glob: string): RegExp {
  const [prefix = ""] = /^[^*?]*/.exec(glob) ?? [];
  if (prefix.trim().length >= SHORTEST_PREFIX) return patternOf(glob);
  throw new Error(
    `--match: got ${JSON.stringify(glob)}, which would match deployments that are not previews; allowed: a pattern whose first * or ? has at least ${SHORTEST_PREFIX} characters before it, such as 'chat-pr-*'`,
  );
}

/**
 * Reads a list of names, one a line; a line that begins with # is a comment unless it matches the pattern. Throws an Error for a list without a line, which
 * a command that failed leaves behind, and for a name that the pattern does not match, which would keep nothing.
 */
export function keepIn({ text, name: source }: Source, glob: string, writtenAt: number): Keep {
  const pattern = patternOf(glob);
  const lines = text.split(/\r?\n/).map((line, index) => ({ number: index + 1, name: line.trim() }));
  const filledLines = lines.filter(({ name }) => name !== "");
  if (filledLines.length === 0)
    throw new Error(
      `--keep: ${source} is empty, as it is when the command that lists the open requests has failed; if none is open, write a comment into it, such as "# none is open"`,
    );
  // A name may begin with # too.
  const nameLines = filledLines.filter(({ name }) => !name.startsWith("#") || pattern.test(name));
  const stray = nameLines.find(({ name }) => !pattern.test(name));
  if (stray !== undefined)
    throw new Error(
      `--keep: ${source}: line ${stray.number}: ${JSON.stringify(stray.name)} does not match ${JSON.stringify(glob)}, so it would keep nothing; allowed: the names of deployments, one a line`,
    );
  return { source, names: new Set(nameLines.map(({ name }) => comparable(name))), writtenAt };
}

/** A name as it is compared: editors and services may spell the same letters with other code points. */
const comparable = (name: string): string => name.normalize().trim();

/** Throws an Error with the place of the fault, and a RefusedError for the state of a newer version. */
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
 * The deployments with such a name, in the order of their names. `clockAhead`: how far the service's clock is ahead of
 * this machine's, in ms.
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

/** File times are coarser than the clock. */
const TOLERANCE_MS = 1000;
/** A smaller difference between the clocks may only be the delay of an answer. */
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
