/** What many callers share: one listing, whose pages are read only as far as a caller needs them, and questions of one moment. */
import type { Clock } from "../client/clock";
import { LARGEST_PAGE, type LeaveOut } from "../client/paging";
import type { Properties } from "../fields/value";
import { LeftOut } from "./leftOut";

/**
 * After this time others may have created deployments that a listing does not have. A listing is kept this long for
 * each of its pages, since each costs a request to read again, up to a limit.
 */
const LISTING_AGE_MS = 60_000;
const LONGEST_LISTING_AGE_MS = 5 * LISTING_AGE_MS;

interface Arrival {
  readonly promise: Promise<Properties>;
  readonly arrived: (deployment: Properties) => void;
}

export class SharedListing {
  readonly byId = new Map<string, Properties>();
  readonly leftOut: LeftOut;
  /** When its first page was requested. */
  readonly #startedAt: number;
  /** When its newest page came. */
  readAt: number;
  isWhole = false;
  pagesRead = 0;
  /** How many of the wanted deployments its pages had. */
  served = 0;
  readonly #pages: AsyncIterator<readonly Properties[]>;
  /** Ids written since it began: a page that was on its way then is older. */
  readonly #written = new Set<string>();
  readonly #awaited = new Map<string, Arrival>();
  readonly #clock: Clock;
  #reading: Promise<void> | undefined;

  /** `leaveOut` is handed each entry that cannot be read. */
  constructor(
    pages: (leaveOut: LeaveOut) => AsyncIterable<readonly Properties[]>,
    clock: Clock,
    leaveOut: LeaveOut,
  ) {
    this.leftOut = new LeftOut(leaveOut);
    this.#pages = pages(this.leftOut.take)[Symbol.asyncIterator]();
    this.#clock = clock;
    this.#startedAt = this.readAt = clock.now();
  }

  /** Reads on until it has all of these, it is whole, or this call has read that many pages. */
  async readFor(ids: readonly string[], mostPages = Number.POSITIVE_INFINITY): Promise<void> {
    const last = this.pagesRead + mostPages;
    while (!this.isWhole && this.pagesRead < last && this.missing(ids).length > 0) await this.#next();
  }

  get isOld(): boolean {
    const pages = Math.max(1, Math.ceil(this.byId.size / LARGEST_PAGE));
    const longest = Math.min(pages * LISTING_AGE_MS, LONGEST_LISTING_AGE_MS);
    return this.#clock.now() - this.#startedAt > longest;
  }

  get isBeingRead(): boolean {
    return this.#reading !== undefined;
  }

  async readAll(): Promise<void> {
    while (!this.isWhole) await this.#next();
  }

  /** Those that it neither has nor left out. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.byId.has(id) && !this.leftOut.has(id));
  }

  /** The deployment, if a page had it so far. */
  find(id: string): Properties | undefined {
    const found = this.byId.get(id);
    if (found !== undefined) this.served += 1;
    return found;
  }

  /** The deployment as soon as a page has it, whoever reads that page; never, if none has. */
  arrival(id: string): Promise<Properties> {
    const known = this.#awaited.get(id);
    if (known !== undefined) return known.promise;
    let arrived: Arrival["arrived"] = () => {};
    const promise = new Promise<Properties>((resolve) => {
      arrived = resolve;
    });
    this.#awaited.set(id, { promise, arrived });
    return promise;
  }

  /** Notes what another request answered; undefined: gone. */
  note(id: string, deployment: Properties | undefined): void {
    this.#written.add(id);
    if (deployment === undefined) this.byId.delete(id);
    else this.#take(id, deployment);
  }

  #take(id: string, deployment: Properties): void {
    this.byId.set(id, deployment);
    this.#awaited.get(id)?.arrived(deployment);
    this.#awaited.delete(id);
  }

  #next(): Promise<void> {
    this.#reading ??= this.#readPage().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readPage(): Promise<void> {
    const { done, value } = await this.#pages.next();
    this.readAt = this.#clock.now();
    if (done) {
      this.isWhole = true;
      return;
    }
    this.pagesRead += 1;
    for (const deployment of value) {
      const id = deployment.id as string;
      if (this.#awaited.has(id)) this.served += 1;
      if (!this.#written.has(id)) this.#take(id, deployment);
    }
  }
}

/** How close the engine's calls of one moment arrive to each other. */
const MOMENT_MS = 4;
/** However steadily they come, none waits longer than this many moments. */
const MOST_MOMENTS = 5;

/** An error where it cannot be told. */
type Answered<T> = Promise<ReadonlyMap<string, T | Error>>;
type Answers<T> = (keys: readonly string[]) => Answered<T>;

function toldOf<T>(answers: ReadonlyMap<string, T | Error>, key: string): T | undefined {
  const answer = answers.get(key);
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Questions that come within a moment of each other, answered together. */
export class Gathering<T> {
  readonly #clock: Clock;
  readonly #answer: Answers<T>;
  readonly #enough: number;
  #open:
    | { readonly keys: Set<string>; readonly full: AbortController; readonly answers: Answered<T> }
    | undefined;

  /** `enough`: at this number the questions are answered at once, since more would not change how. */
  constructor(clock: Clock, answer: Answers<T>, enough = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#answer = answer;
    this.#enough = enough;
  }

  /** The answer for this key, from a new request together with all others of this moment. */
  async ask(key: string): Promise<T | undefined> {
    const open = this.#open ?? this.#begin();
    open.keys.add(key);
    if (open.keys.size >= this.#enough) open.full.abort();
    return toldOf(await open.answers, key);
  }

  #begin() {
    const [keys, full] = [new Set<string>(), new AbortController()];
    this.#open = { keys, full, answers: this.#gathered(keys, full.signal) };
    return this.#open;
  }

  async #gathered(keys: ReadonlySet<string>, full: AbortSignal): Answered<T> {
    for (let moment = 0, before = -1; moment < MOST_MOMENTS && keys.size > before; moment += 1) {
      if (full.aborted) break;
      before = keys.size;
      await this.#clock.sleep(MOMENT_MS, full);
    }
    this.#open = undefined;
    return this.#answer([...keys]);
  }
}
