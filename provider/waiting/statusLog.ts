/** The statuses of a revision, and how long each lasted. */
import type { Clock } from "../client/clock";

export interface Stage {
  readonly status: string;
  readonly seconds: number;
}

export class StatusLog {
  readonly #clock: Clock;
  readonly #started: number;
  readonly #marks: { status: string; at: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#started = clock.now();
  }

  changed(status: string): boolean {
    if (this.#marks.at(-1)?.status === status) return false;
    this.#marks.push({ status, at: this.#clock.now() });
    return true;
  }

  get elapsed(): number {
    return this.#clock.now() - this.#started;
  }

  total(): number {
    return seconds(this.elapsed);
  }

  steps(): Stage[] {
    const now = this.#clock.now();
    return this.#marks.map((mark, index) => ({
      status: mark.status,
      seconds: seconds((this.#marks[index + 1]?.at ?? now) - mark.at),
    }));
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

/** ` (BUILDING 12 s, BUILD_FAILED)` for an error message; empty if no status was seen. */
export function describeSteps(steps: readonly Stage[]): string {
  if (steps.length === 0) return "";
  const words = steps.map(({ status, seconds }, index) =>
    index === steps.length - 1 ? status : `${status} ${seconds} s`,
  );
  return ` (${words.join(", ")})`;
}
