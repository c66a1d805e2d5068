/** Says what a run has taken over: after a run of hundreds that was killed, in one warning. */
import { alarmOf, type Clock } from "../client/clock";
import { own, type Words } from "../fields/ownWords";

export interface Takeover {
  readonly urn: string;
  readonly id: string;
  /** What is said of it if it is the only one. */
  readonly words: Words;
}

/** What is taken over within such a time of each other is told together. */
const QUIET_MS = 1_000;
const IDS_SHOWN = 5;

type Warn = (urn: string, words: Words) => Promise<void>;

export class Takeovers {
  readonly #warn: Warn;
  readonly #clock: Clock;
  #untold: Takeover[] = [];
  #stop = () => {};

  constructor(warn: Warn, clock: Clock) {
    this.#warn = warn;
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
    const told =
      others.length === 0 ? this.#warn(first.urn, first.words) : this.#warn("", together([first, ...others]));
    // Words that do not arrive must not fail what they tell of.
    await told.catch(() => undefined);
  }
}

function together(all: readonly Takeover[]): Words {
  const shown = all.slice(0, IDS_SHOWN).map(({ id }) => id);
  const more = all.length - shown.length;
  const ids = more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
  return own`takes over ${all.length} deployments that an earlier run made and that the state does not have (ids ${ids})`;
}
