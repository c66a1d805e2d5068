/** Entries that a listing left out because they could not be read, and the doubts that they cause. */
import type { LeaveOut, UnreadableEntry } from "../client/paging";

export class LeftOut {
  readonly #entries: UnreadableEntry[] = [];
  readonly #also: LeaveOut;

  /** `also` is called with each of them too. */
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

  /** Why an id missing from the listing may still exist; undefined if it does not. */
  whyNotGone(id: string): Error | undefined {
    return (this.#entries.find((entry) => entry.id === id) ?? this.#entries[0])?.fault;
  }

  /** Why the listing cannot tell which deployment has the name; undefined if it can. `isKnown`: whether an id is known from elsewhere. */
  whyNotFree(name: string, isKnown: (id: string) => boolean): Error | undefined {
    return this.#entries.find(
      (entry) => mayHave(entry, name) && !(entry.id !== undefined && isKnown(entry.id)),
    )?.fault;
  }
}

/** Throws for an entry that may have that name. */
export const unlessNamed =
  (name: string): LeaveOut =>
  (entry) => {
    if (mayHave(entry, name)) throw entry.fault;
  };

const mayHave = (entry: UnreadableEntry, name: string): boolean =>
  entry.name === undefined || entry.name === name;
