/** Warns of takeovers: after a killed run there may be hundreds, which get one warning. */
import { alarmOf, type Clock } from "../client/clock";

export interface Takeover {
  readonly id: string;
  /** Shows the warning for this takeover alone. */
  readonly warn: () => Promise<void>;
}

/** Takeovers within this time of each other are reported together. */
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

  /** `isLast`: no more takeovers are expected, and the engine may end at once. */
  async tell(takeover: Takeover, isLast: () => boolean): Promise<void> {
    this.#untold.push(takeover);
    this.#stop();
    this.#stop = alarmOf(this.#clock, QUIET_MS, () => void this.#tellAll());
    if (isLast()) await this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#stop();
    const [first, ...laterTakeovers] = this.#untold.splice(0);
    if (first === undefined) return;
    const warned =
      laterTakeovers.length === 0 ? first.warn() : this.#warnOfAll(summary([first, ...laterTakeovers]));
    // A warning that cannot be delivered must not fail the takeover.
    await warned.catch(() => undefined);
  }
}

function summary(takeovers: readonly Takeover[]): string {
  const firstIds = takeovers.slice(0, IDS_SHOWN).map(({ id }) => id);
  const more = takeovers.length - firstIds.length;
  const ids = more === 0 ? firstIds.join(", ") : `${firstIds.join(", ")} and ${more} more`;
  return `takes over ${takeovers.length} deployments that an earlier run made and that the state does not have (ids ${ids})`;
}
