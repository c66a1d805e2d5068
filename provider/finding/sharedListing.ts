/** Requests that many callers share: one listing, read only as far as needed, and batches of simultaneous questions. */
import type { Clock } from "../client/clock";
import type { LeaveOut, UnreadableEntry } from "../client/paging";
import type { Properties } from "../fields/value";

/** Entries that a listing left out because they could not be read, and the doubts that they cause. */
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

/** Time after its last page in which a listing is used; until then it also proves that a name is free. */
const GOOD_MS = 5_000;

export class SharedListing {
  readonly byId = new Map<string, Properties>();
  readonly leftOut: LeftOut;
  isWhole = false;
  /** Number of requested ids that it did not have. */
  asked = 0;
  #readAt: number;
  readonly #pages: AsyncIterator<readonly Properties[]>;
  /** Ids written since it began: a page that was requested before may show older values. */
  readonly #written = new Set<string>();
  readonly #clock: Clock;
  #reading: Promise<void> | undefined;
  #hasFailed = false;

  /** `leaveOut` is called with each unreadable entry. `isForNames`: read in one go, so that no entry gets lost between pages. */
  constructor(
    pages: (leaveOut: LeaveOut) => AsyncIterable<readonly Properties[]>,
    clock: Clock,
    leaveOut: LeaveOut,
    readonly isForNames: boolean,
  ) {
    this.leftOut = new LeftOut(leaveOut);
    this.#pages = pages(this.leftOut.take)[Symbol.asyncIterator]();
    this.#clock = clock;
    this.#readAt = clock.now();
  }

  get isOld(): boolean {
    if (this.#reading !== undefined) return this.#hasFailed;
    return this.#clock.now() - this.#readAt > GOOD_MS;
  }

  async readAll(): Promise<void> {
    while (!this.isWhole) await this.readOn();
  }

  /** Reads on until it has all of these, or is whole. */
  async readFor(ids: readonly string[]): Promise<void> {
    while (!this.isWhole && this.missing(ids).length > 0) await this.readOn();
  }

  /** The ids that it neither has nor left out. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.byId.has(id) && !this.leftOut.has(id));
  }

  /** Notes the answer of another request; undefined means gone. */
  note(id: string, deployment: Properties | undefined): void {
    this.#written.add(id);
    if (deployment === undefined) this.byId.delete(id);
    else this.byId.set(id, deployment);
  }

  /** Reads the next page, once for all who ask for it at the same time. A listing that failed has no further pages. */
  readOn(): Promise<void> {
    this.#reading ??= this.#readPage().then(
      () => {
        this.#reading = undefined;
      },
      (error) => {
        this.#hasFailed = true;
        throw error;
      },
    );
    return this.#reading;
  }

  async #readPage(): Promise<void> {
    const page = await this.#pages.next();
    this.#readAt = this.#clock.now();
    this.isWhole = page.done === true;
    for (const deployment of page.value ?? []) {
      const id = deployment.id as string;
      if (!this.#written.has(id)) this.byId.set(id, deployment);
    }
  }
}

/** Time within which simultaneous calls of the engine arrive. */
const MOMENT_MS = 4;

/** An error means that it is not known. */
type AnswerMap<T> = Promise<ReadonlyMap<string, T | Error | undefined>>;
type Answers<T> = (keys: readonly string[]) => AnswerMap<T>;

/** Answers questions together that come within a moment, or while earlier ones are being answered. */
export class Gathering<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  #open: { readonly keys: Set<string>; readonly answers: AnswerMap<T> } | undefined;
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, answer: Answers<T>) {
    this.#clock = clock;
    this.#answer = answer;
  }

  /** The answer for this key, from new requests shared with all others of this moment. */
  async ask(key: string): Promise<T | undefined> {
    this.#open ??= this.#begin();
    this.#open.keys.add(key);
    const answer = (await this.#open.answers).get(key);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  #begin() {
    const keys = new Set<string>();
    const answers = this.#gathered(keys, this.#earlier);
    this.#earlier = answers.catch(() => undefined);
    return { keys, answers };
  }

  async #gathered(keys: ReadonlySet<string>, earlier: Promise<unknown>): AnswerMap<T> {
    for (let count = -1; keys.size > count; ) {
      count = keys.size;
      await this.#clock.sleep(MOMENT_MS);
    }
    await earlier;
    this.#open = undefined;
    return this.#answer([...keys]);
  }
}
