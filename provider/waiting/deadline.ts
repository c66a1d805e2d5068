/** An end to what may take for ever. */
import { alarmOf, type Clock } from "../client/clock";

/** A look that begins right at the deadline may take that long. */
const GRACE_MS = 500;
/** The most that a timer takes. */
const LONGEST_ALARM_MS = 2 ** 31 - 1 - GRACE_MS;

/** What the work comes to, or undefined at the deadline: a service that answers no more must not outlast it. */
export async function by<T>(deadline: number, clock: Clock, work: Promise<T>): Promise<T | undefined> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    const left = Math.min(deadline - clock.now(), LONGEST_ALARM_MS);
    stop = alarmOf(clock, left + GRACE_MS, () => resolve(undefined));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
    // What is still under way is nobody's concern any more.
    work.catch(() => undefined);
  }
}
