/** Says what a run has taken over: after a run of hundreds that was killed, in one warning. */
import { alarmOf, type Clock } from "../client/clock";

export interface Takeover {
  readonly id: string;
  /** Says it of this one, if it is the only one. */
  readonly warn: () => Promise<void>;
}

/** What is taken over within such a time of each other is told together. */
const QUIET_MS = 1_000;
const IDS_SHOWN = 5;

export class Takeovers {
  readonly #warnOfAll: (words: string) => Promise<void>;
  readonly #clock: Clock;
  #untold: Takeover[] = [];
  #stop = () => {};

  constructor(warnOfAll: (words: string) => Promise<void>, clock: Clock) {
    this.#warnOfAll = warnOfAll;
    this.#clock = clock;
  }

  /** `isLast`: nothing more is expected, and the engine may end at once. */
  async tell(takeover: Takeover, isLast: () => boolean): Promise<void> {
    this.#untold.push(takeover);
    this.#stop();
    this.#stop = alarmOf(this.#clock, QUIET_MS, () => void this.#tellAll());
    if (isLast()) await this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#stop();
    const [first, ...others] = this.#untold.splice(0);
    if (first === undefined) return;
    const warned = others.length === 0 ? first.warn() : this.#warnOfAll(together([first, ...others]));
    // Words that do not arrive must not fail what they tell of.
    await warned.catch(() => undefined);
  }
}

function together(all: readonly Takeover[]): string {
  const shown = all.slice(0, IDS_SHOWN).map(({ id }) => id);
  const more = all.length - shown.length;
  const ids = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
  return `takes over ${all.length} deployments that an earlier run made and that the state does not have (ids ${ids})`;
}
