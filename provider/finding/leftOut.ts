/** Entries that a listing left out since they could not be read, and what it can no longer tell for them. */
import type { LeaveOut, UnreadableEntry } from "../client/paging";

export class LeftOut {
  readonly #entries: UnreadableEntry[] = [];
  readonly #also: LeaveOut;

  /** `also` is handed each of them too. */
  constructor(also: LeaveOut) {
    this.#also = also;
  }

  readonly take: LeaveOut = (entry) => {
    this.#entries.push(entry);
    this.#also(entry);
  };

  /** Whether one of them has that id. */
  has(id: string): boolean {
    return this.#entries.some((entry) => entry.id === id);
  }

  /** Why the listing, which shows none of that id, proves nothing; undefined where it does. */
  whyNotGone(id: string): Error | undefined {
    return (this.#entries.find((entry) => entry.id === id) ?? this.#entries[0])?.fault;
  }

  /** Why the listing does not tell who has that name; undefined where it does. `isKnown`: ids that are known from elsewhere. */
  whyNotFree(name: string, isKnown: (id: string) => boolean): Error | undefined {
    return this.#entries.find(
      (entry) => mayHave(entry, name) && !(entry.id !== undefined && isKnown(entry.id)),
    )?.fault;
  }
}

/** Refuses an entry that may be of that name. */
export const unlessNamed =
  (name: string): LeaveOut =>
  (entry) => {
    if (mayHave(entry, name)) throw entry.fault;
  };

const mayHave = (entry: UnreadableEntry, name: string): boolean =>
  entry.name === undefined || entry.name === name;
