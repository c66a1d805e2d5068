/** Requests that many callers share: one listing, read only as far as needed, and batches of simultaneous requests. */
import type { Clock } from "../client/clock";
import type { Properties } from "../schema/value";

/** How long after its last page a listing stays in use and can prove that a name is free. */
const VALID_MS = 5_000;

export class SharedListing {
  readonly byId = new Map<string, Properties>();
  isWhole = false;
  #pagesRead = 0;
  #readAt: number;
  readonly #pages: AsyncIterator<readonly Properties[]>;
  /** Ids of deployments written since the listing began. A page requested before the write may show older values. */
  readonly #written = new Set<string>();
  readonly #clock: Clock;
  #reading: Promise<void> | undefined;
  #hasFailed = false;

  /** `isForNames`: whether the listing is read without pauses, so that no entry is lost between pages. */
  constructor(
    pages: AsyncIterable<readonly Properties[]>,
    clock: Clock,
    readonly isForNames: boolean,
  ) {
    this.#pages = pages[Symbol.asyncIterator]();
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

  /** Reads on until the listing has all of these ids, has no further pages, or has reached `lastPage`. */
  async readFor(ids: readonly string[], lastPage = Number.POSITIVE_INFINITY): Promise<void> {
    while (!this.isWhole && this.#pagesRead < lastPage && this.missing(ids).length > 0) await this.readOn();
  }

  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.byId.has(id));
  }

  /** Records the deployment that another request returned. Drops the listing's entry if `deployment` is undefined. */
  note(id: string, deployment: Properties | undefined): void {
    this.#written.add(id);
    if (deployment === undefined) this.byId.delete(id);
    else this.byId.set(id, deployment);
  }

  /** Reads the next page, once for all simultaneous callers. After a failure, every later call fails too. */
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

/** Two calls by the engine count as simultaneous if at most this time lies between them. */
const MOMENT_MS = 4;

type AnswerMap<T> = Promise<ReadonlyMap<string, T | undefined>>;
type Answers<T> = (keys: readonly string[]) => AnswerMap<T>;

/** Combines all keys that arrive simultaneously, or during an earlier request, into one call for their values. */
export class Batcher<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  #open: { readonly keys: Set<string>; readonly answers: AnswerMap<T> } | undefined;
  #earlier: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, answer: Answers<T>) {
    this.#clock = clock;
    this.#answer = answer;
  }

  /** The value of this key, from new requests for all keys that arrive simultaneously. */
  async ask(key: string): Promise<T | undefined> {
    this.#open ??= this.#begin();
    this.#open.keys.add(key);
    return (await this.#open.answers).get(key);
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
