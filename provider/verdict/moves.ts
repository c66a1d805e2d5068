/** Entries that move between two arguments that share a list on the wire. Each move is one change. */
import { type Difference, sameValue } from "../fields/compare";
import type { Rows } from "../fields/kind";
import { isAbsent, type Properties, UNKNOWN } from "../fields/value";

/** Placeholder for the value that a variable had as a secret. */
export const SEALED = Symbol("a secret's value");

export interface Moved extends Difference {
  /** Whether the entry moves without a change: the service already has it. */
  readonly moves?: boolean;
}

/** This argument, and the argument that shares its list on the wire. */
export const inOneList = (section: string, rows: Rows): string[] => {
  const first = rows[section]?.beside ?? section;
  return Object.keys(rows).filter((name) => name === first || rows[name]?.beside === first);
};

/**
 * The differences, with one difference for each entry that moves. While one of the two arguments is unknown, an entry
 * that leaves the other argument may move there.
 */
export function withMoves(all: readonly Difference[], rows: Rows, after: Properties): Moved[] {
  return all.flatMap((difference): Moved[] => {
    const [section = "", entry] = difference.names;
    const partner = inOneList(section, rows).find((name) => name !== section);
    if (partner === undefined || entry === undefined) return [difference];
    const twin = all.find(({ names }) => names[0] === partner && names[1] === entry);
    const isRemoved = isAbsent(difference.after);
    if (isRemoved && after[partner] === UNKNOWN) return [{ ...difference, unknown: true }];
    if (twin === undefined || isAbsent(twin.after) === isRemoved) return [difference];
    if (isRemoved) return [];
    const moves = sameValue(twin.before, difference.after) && !difference.unknown;
    return [{ ...difference, before: rows[partner]?.secret ? SEALED : twin.before, moves }];
  });
}
