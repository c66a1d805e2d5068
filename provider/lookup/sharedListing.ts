/** Requests that many callers share: one listing, read only as far as needed, and batches of simultaneous requests. */
import type { Clock } from "../client/clock";
import type { LeaveOut, UnreadableAttempt } from "../client/paging";
import type { Properties } from "../schema/value";

/** The unreadable entries of a listing, and the doubts that they raise about ids and names. */
export class LeftOut {
  readonly #entries: UnreadableAttempt[] = [];
  readonly #also: LeaveOut;

  /** Each unreadable entry is recorded here and also passed to `also`. */
  constructor(also: LeaveOut) {
    this.#also = also;
  }

  readonly take: LeaveOut = (entry) => {
    this.#entries.push(entry);
    this.#also(entry);
  };

  /** Whether an unreadable entry has that id. */
  has(id: string): boolean {
    return this.#entries.some((entry) => entry.id === id);
  }

  /** Why the deployment may exist although the listing lacks its id; undefined if it does not exist. */
  whyNotGone(id: string): Error | undefined {
    return (this.#entries.find((entry) => entry.id === id) ?? this.#entries[0])?.fault;
  }

  /**
   * Why the listing cannot tell which deployments have the name; undefined if it can. `isKnown`: whether another answer
   * contained the deployment with this id.
   */
  whyNotFree(name: string, isKnown: (id: string) => boolean): Error | undefined {
    return this.#entries.find(
      (entry) => mayHave(entry, name) && !(entry.id !== undefined && isKnown(entry.id)),
    )?.fault;
  }
}

/** Throws the fault of an unreadable entry that may have that name. */
export const unlessNamed =
  (name: string): LeaveOut =>
  (entry) => {
    if (mayHave(entry, name)) throw entry.fault;
  };

const mayHave = (entry: UnreadableAttempt, name: string): boolean =>
  entry.name === undefined || entry.name === name;

/** How long a listing is used, and can prove that a name is free, after its last page was read. */
const VALID_MS = 5_000;

export class SharedListing {
  readonly byId = new Map<string, Properties>();
  readonly leftOut: LeftOut;
  isWhole = false;
  #pagesRead = 0;
  #readAt: number;
  readonly #pages: AsyncIterator<readonly Properties[]>;
  /** Ids of deployments written since the listing began: a page requested before the write may show older values. */
  readonly #written = new Set<string>();
  readonly #clock: Clock;
  #reading: Promise<void> | undefined;
  #hasFailed = false;

  /**
   * `leaveOut` gets each unreadable entry. `isForNames`: whether the listing is read in one go, so that no entry is
   * lost between pages.
   */
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
    return this.#clock.now() - this.#readAt > VALID_MS;
  }

  async readAll(): Promise<void> {
    while (!this.isWhole) await this.readOn();
  }

  /** Reads on until the listing has all of these ids, or has been read to its end or to this page. */
  async readFor(ids: readonly string[], lastPage = Number.POSITIVE_INFINITY): Promise<void> {
    while (!this.isWhole && this.#pagesRead < lastPage && this.missing(ids).length > 0) await this.readOn();
  }

  /** The ids that are neither in the listing nor among its unreadable entries. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.byId.has(id) && !this.leftOut.has(id));
  }

  /** Records the deployment that another request returned; if `deployment` is undefined, drops the listing's entry. */
  note(id: string, deployment: Properties | undefined): void {
    this.#written.add(id);
    if (deployment === undefined) this.byId.delete(id);
    else this.byId.set(id, deployment);
  }

  /** Reads the next page, once for all simultaneous callers. A listing that failed has no further pages. */
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
    this.#pagesRead += 1;
    this.isWhole = page.done === true;
    for (const deployment of page.value ?? []) {
      const id = deployment.id as string;
      if (!this.#written.has(id)) this.byId.set(id, deployment);
    }
  }
}

/** The longest gap between two calls of the engine that count as simultaneous. */
const MOMENT_MS = 4;

/** The values by key. An error in place of a value means that the value is unknown. */
type AnswerMap<T> = Promise<ReadonlyMap<string, T | Error | undefined>>;
type Answers<T> = (keys: readonly string[]) => AnswerMap<T>;

/**
 * Collects keys and requests them together: keys that come at the same moment, and keys that come while an earlier
 * batch is under way.
 */
export class Batcher<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  #open: { readonly keys: Set<string>; readonly answers: AnswerMap<T> } | undefined;
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, answer: Answers<T>) {
    this.#clock = clock;
    this.#answer = answer;
  }

  /** The value of this key, from new requests for all the keys that come at this moment. */
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
