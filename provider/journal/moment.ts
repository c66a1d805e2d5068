/** When a request is sent, and how long it may still arrive. */
import type { Clock } from "../client/clock";
import type { Moment } from "./entry";

/** How long after its time-out a request may still arrive: proxies hold back what they have taken. */
const MARGIN_MS = 10_000;
const BETWEEN_LOOKS_MS = 2_000;

/** A request that is sent at that moment of our clock, to a service whose clock is so far ahead. */
export function momentAt(sentAt: number, clockAhead: number, timeoutSeconds: number): Moment {
  const overAt = sentAt + timeoutSeconds * 1000 + MARGIN_MS;
  return { sentAt, serviceTime: sentAt + clockAhead, overAt };
}

/** Looks until something is there, or the request can no longer arrive, and then once more. */
export async function lookUntil<T>(
  clock: Clock,
  overAt: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (;;) {
    const isOver = clock.now() >= overAt;
    const found = await look();
    if (found !== undefined || isOver) return found;
    await clock.sleep(Math.min(BETWEEN_LOOKS_MS, Math.max(1, overAt - clock.now())));
  }
}
