/**
 * A request that must not happen twice: written down before each try, its answer noted. Where the answer is lost, a look
 * at the service tells what became of the request: it is never sent again blindly.
 */

import type { Clock } from "../client/clock";
import { mayHaveBeenApplied } from "../client/errors";
import type { Answer, Intent, Moment } from "./entry";
import { JournalConflict } from "./faults";
import type { Journal } from "./journal";

const BETWEEN_LOOKS_MS = 700;

export interface Request<T> {
  readonly clock: Clock;
  /** Where it is written down, and as what; undefined where sending it twice is harmless. */
  readonly journalled: { readonly journal: Journal; readonly intent: Intent } | undefined;
  /** When it is sent, if it is sent now. */
  readonly moment: () => Moment;
  /** Sends it. `beforeSending` is to be called right before each try. */
  readonly send: (beforeSending: () => Promise<void>) => Promise<T>;
  /** What the journal notes of the answer. */
  readonly noteOf: (answer: T) => Answer;
  readonly lost: LostAnswer<T>;
}

/** What to do about a lost answer. */
export interface LostAnswer<T> {
  /** Says that it is lost. */
  readonly begin: (error: Error) => Promise<void>;
  /** How often to look for what the request has done. */
  readonly looks: number;
  /** What the request has done, as the service shows it; undefined while it shows nothing. `sent`: its last try. */
  readonly find: (error: Error, sent: Moment) => Promise<T | undefined>;
  /** When nothing was found: the request is sent once more, or the error to throw. */
  readonly otherwise: "send again" | ((error: Error) => Error);
  /** What to throw when the look, or what follows it, failed: that itself unless given. */
  readonly explain?: (failure: Error) => Error;
}

/** The answer, or what stands for it. Throws a JournalConflict when another run is at the same resource. */
export async function sendOnce<T>(request: Request<T>): Promise<T> {
  const { journalled, lost } = request;
  let sent = request.moment();
  const send = () =>
    request.send(async () => {
      sent = request.moment();
      await journalled?.journal.sending(journalled.intent, sent);
    });
  const noted = async (answer: T): Promise<T> => {
    await journalled?.journal.answered(journalled.intent, request.noteOf(answer));
    return answer;
  };
  try {
    return await noted(await send());
  } catch (error) {
    if (!mayHaveBeenApplied(error)) {
      // Another run's entry is not this one's to remove; nor was anything of this run sent then.
      if (!(error instanceof JournalConflict)) await journalled?.journal.drop(journalled.intent);
      throw error;
    }
    await lost.begin(error as Error);
    try {
      const found = await look(request, error as Error, sent);
      if (found !== undefined) return await noted(found);
      if (lost.otherwise !== "send again") throw lost.otherwise(error as Error);
      return await noted(await send());
    } catch (failure) {
      throw lost.explain?.(failure as Error) ?? failure;
    }
  }
}

async function look<T>({ clock, lost }: Request<T>, error: Error, sent: Moment): Promise<T | undefined> {
  for (let looks = 0; looks < lost.looks; looks += 1) {
    await clock.sleep(BETWEEN_LOOKS_MS);
    const found = await lost.find(error, sent);
    if (found !== undefined) return found;
  }
  return undefined;
}
