/** Entries whose results a state has shown. They are closed once the engine asks nothing for a moment: nobody waits for that. */
import { systemClock } from "../client/clock";
import type { Properties } from "../fields/value";
import { removeIfThere, removeInBackground } from "./files";

/** After a creation of a thousand the next command closes as many, best while the engine writes its state. */
const QUIET_MS = 20;
/** The engine waits for its plugins to end: a preview of thousands, after which it writes nothing, leaves the others to the next run. */
const MOST_AT_THE_END = 100;

/** What the state holds. */
export interface Confirmed {
  readonly id: string;
  readonly state: Properties;
}

/** What it asks of its journal. */
interface Closing {
  /** The files of those entries that are over: the journal knows them no longer. */
  readonly over: (confirmed: ReadonlyMap<string, Confirmed>) => readonly string[];
  /** Does the work and tells of its errors. */
  readonly guarded: (work: () => Promise<void>) => Promise<void>;
}

export class Closings {
  readonly #journal: Closing;
  /** By file. */
  #confirmed = new Map<string, Confirmed>();
  #underWay: { readonly ended: Promise<void>; readonly atOnce: AbortController } | undefined;

  constructor(journal: Closing) {
    this.#journal = journal;
  }

  add(file: string, confirmed: Confirmed): void {
    this.#confirmed.set(file, confirmed);
    this.#underWay ??= this.#begun();
  }

  /** The id of what is confirmed and not closed yet. */
  idAt(file: string): string | undefined {
    return this.#confirmed.get(file)?.id;
  }

  /** Once all that was added so far is closed, which then waits no longer. */
  async settled(): Promise<void> {
    this.#underWay?.atOnce.abort();
    await this.#underWay?.ended;
  }

  /** Closes what is left, at once: the process ends with this. What fails is left to the next run. */
  end(): void {
    try {
      for (const file of this.#taken(MOST_AT_THE_END)) removeIfThere(file);
    } catch {}
  }

  #begun() {
    const atOnce = new AbortController();
    return { atOnce, ended: this.#close(atOnce.signal) };
  }

  async #close(atOnce: AbortSignal): Promise<void> {
    try {
      while (this.#confirmed.size > 0) {
        for (let before = 0; before < this.#confirmed.size && !atOnce.aborted; ) {
          before = this.#confirmed.size;
          await systemClock.sleep(QUIET_MS, atOnce);
        }
        await this.#journal.guarded(async () => {
          for (const file of this.#taken()) await removeInBackground(file);
        });
      }
    } finally {
      // In the same turn as the last look: what is added after it begins anew.
      this.#underWay = undefined;
    }
  }

  /** The files to remove, of as many that were confirmed. */
  #taken(most = this.#confirmed.size): readonly string[] {
    const confirmed = [...this.#confirmed];
    this.#confirmed = new Map(confirmed.slice(most));
    return this.#journal.over(new Map(confirmed.slice(0, most)));
  }
}
