/**
 * The time at which a request is sent, the latest time at which it can arrive, and whether a resource can be the
 * request's result.
 */
import type { Clock } from "../client/clock";
import type { Moment } from "./attempt";

/** A request may still arrive this long after its time-out, because a proxy may deliver the request late. */
const MARGIN_MS = 10_000;
const BETWEEN_LOOKS_MS = 2_000;
/** A service's machines have separate clocks, whose times may differ by this much. */
const TOLERANCE_MS = 250;
/** The real time may be this much later than a service's time, which may be truncated to the second. */
const CUT_OFF_MS = 999;

/** The times of a request, by our clock: when it is sent, and the latest time at which it can arrive. */
export function momentAt(sentAt: number, timeoutSeconds: number): Moment {
  return { sentAt, expiresAt: sentAt + timeoutSeconds * 1000 + MARGIN_MS };
}

/**
 * Returns when the service made something: before a request was sent, while the request could arrive, or later.
 * Returns undefined if the service gives no time. `clockAhead`: how far the service's clock is ahead of ours.
 */
export function whenMade(
  createdAt: unknown,
  { sentAt, expiresAt }: Moment,
  clockAhead: number,
): "before" | "during" | "after" | undefined {
  const earliest = Date.parse(String(createdAt));
  if (Number.isNaN(earliest)) return undefined;
  const latest = /\.\d/.test(String(createdAt)) ? earliest : earliest + CUT_OFF_MS;
  if (latest < sentAt + clockAhead - TOLERANCE_MS) return "before";
  return earliest > expiresAt + clockAhead + TOLERANCE_MS ? "after" : "during";
}

/**
 * Calls `look` until it returns a result. The last call is made when the request can no longer arrive. If the first
 * call returns no result, calls `tell` with the number of seconds until the request can no longer arrive.
 */
export async function lookUntil<T>(
  clock: Clock,
  expiresAt: number,
  look: () => Promise<T | undefined>,
  tell: (seconds: number) => Promise<void>,
): Promise<T | undefined> {
  for (let looks = 1; ; looks += 1) {
    const isOver = clock.now() >= expiresAt;
    const outcome = await look();
    if (outcome !== undefined || isOver) return outcome;
    if (looks === 1) await tell(Math.ceil((expiresAt - clock.now()) / 1000));
    await clock.sleep(Math.min(BETWEEN_LOOKS_MS, Math.max(1, expiresAt - clock.now())));
  }
}
