/**
 * A clock that does not depend on the machine's speed: time passes only while the embedded services have no request to
 * answer.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Clock } from "../../provider/client/clock";
import { stoppedClock } from "./embeddedService";

/** If this many event loop turns pass with no request and no answer, only the end of a sleep can cause a request. */
const QUIET_TURNS = 50;

let quietTurns = 0;
let inFlight = 0;

const REQUESTS = "http.server.request.start";
const count = (message: unknown): void => {
  quietTurns = 0;
  inFlight += 1;
  const { response } = message as { response: NodeJS.EventEmitter };
  response.once("close", () => {
    quietTurns = 0;
    inFlight -= 1;
  });
};
subscribe(REQUESTS, count);
// The channel belongs to the process, and each test file that loads this module subscribes to the channel again.
afterAll(() => unsubscribe(REQUESTS, count));

/** Number of requests that services in this process have received but not answered yet. */
export const requestsInFlight = (): number => inFlight;

/** Resolves after `QUIET_TURNS` turns without a request or an answer. The service may still hold back answers. */
export async function untilQuiet(): Promise<void> {
  for (quietTurns = 0; quietTurns < QUIET_TURNS; quietTurns += 1) await new Promise(setImmediate);
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A fixed start for tests that count requests. A run polls at certain times, so the start decides the number. */
export const FULL_MINUTE = Date.UTC(2100, 0, 1);

/** One clock for both the provider and the service. The clock moves only during sleeps. */
export function sharedClock(start = Date.now()): Clock {
  const { pass } = stoppedClock();
  pass(start - Date.now());
  const sleepers = new Set<Sleeper>();
  let isJumping = false;

  async function jump(): Promise<void> {
    if (isJumping) return;
    isJumping = true;
    while (sleepers.size > 0) {
      do await untilQuiet();
      while (inFlight > 0);
      const next = Math.min(...[...sleepers].map(({ until }) => until));
      pass(Math.max(0, next - Date.now()));
      for (const { until, wake } of sleepers) if (until <= next) wake();
    }
    isJumping = false;
  }

  return {
    now: () => Date.now(),
    sleep: (milliseconds, waking) =>
      new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper);
          waking?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { until: Date.now() + milliseconds, wake };
        sleepers.add(sleeper);
        waking?.addEventListener("abort", wake, { once: true });
        void jump();
      }),
    alarm: () => () => undefined,
  };
}
