/** When a request is sent, and until when it may arrive. */
import type { Clock } from "../client/retry";
import type { Service } from "../service/session";
import type { Moment } from "./journal";

/** How long after its time-out a request may still arrive: proxies hold back what they have taken. */
const MARGIN_MS = 10_000;
const BETWEEN_LOOKS_MS = 2_000;

/** A request that is sent now. */
export function momentOf(service: Service, clock: Clock): Moment {
  const sentAt = clock.now();
  return {
    sentAt,
    serviceTime: sentAt + service.endpoints.clockAhead,
    overAt: sentAt + service.connection.requestTimeoutSeconds * 1000 + MARGIN_MS,
  };
}

/** Looks until there is something, or until nothing can arrive any more, and then once more. */
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
