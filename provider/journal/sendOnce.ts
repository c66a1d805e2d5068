/**
 * Sends a request that must not take effect twice. The journal records the request before each try, and its answer
 * afterwards. After a lost answer, the provider asks the service what became of the request before sending it again.
 */

import type { Clock } from "../client/clock";
import { mayHaveBeenApplied } from "../client/errors";
import type { Intent, Moment } from "./attempt";
import { JournalConflict } from "./faults";
import type { Journal } from "./journal";

const BETWEEN_LOOKS_MS = 700;

export interface Request<T> {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The attempt to record; undefined if sending the request twice is harmless. */
  readonly intent: Intent | undefined;
  /** The moment of a request that is sent right now. */
  readonly moment: () => Moment;
  /** Sends the request. Must call `beforeSending` right before each try. */
  readonly send: (beforeSending: () => Promise<void>) => Promise<T>;
  /** The id that the answer names, as the attempt records it. */
  readonly noteOf: (answer: T) => string | null;
  readonly lost: LostAnswer<T>;
}

/** How to handle a lost answer. */
export interface LostAnswer<T> {
  /** Reports that the answer is lost. */
  readonly begin: (error: Error) => Promise<void>;
  /** How many times to look for the request's result. */
  readonly looks: number;
  /** The request's result; undefined while the service does not show the result. `sent`: the moment of the last try. */
  readonly find: (error: Error, sent: Moment) => Promise<T | undefined>;
  /**
   * How to continue if `find` never returns a result: send the request once more, or throw this function's error.
   */
  readonly otherwise: "send again" | ((error: Error) => Error);
  /** Makes the error to throw when `find` or the second try fails. By default, the failure itself is thrown. */
  readonly explain?: (failure: Error) => Error;
}

/**
 * Returns the answer or, after a lost answer, the result that `find` returns. Throws a JournalConflict if another run
 * has an attempt about the same resource.
 */
export async function sendOnce<T>(request: Request<T>): Promise<T> {
  const { journal, intent, lost } = request;
  let moment = request.moment();
  const send = () =>
    request.send(async () => {
      moment = request.moment();
      if (intent !== undefined) await journal.put(intent, moment);
    });
  const note = async (answer: T): Promise<T> => {
    if (intent !== undefined) await journal.answer(intent, request.noteOf(answer));
    return answer;
  };
  try {
    return await note(await send());
  } catch (error) {
    if (!mayHaveBeenApplied(error)) {
      // After a conflict the attempt belongs to another run, and nothing was sent.
      if (intent !== undefined && !(error instanceof JournalConflict)) await journal.drop(intent);
      throw error;
    }
    await lost.begin(error as Error);
    try {
      const answer = await look(request, error as Error, moment);
      if (answer !== undefined) return await note(answer);
      if (lost.otherwise !== "send again") throw lost.otherwise(error as Error);
      return await note(await send());
    } catch (failure) {
      throw lost.explain?.(failure as Error) ?? failure;
    }
  }
}

async function look<T>({ clock, lost }: Request<T>, error: Error, moment: Moment): Promise<T | undefined> {
  for (let looks = 0; looks < lost.looks; looks += 1) {
    await clock.sleep(BETWEEN_LOOKS_MS);
    const answer = await lost.find(error, moment);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
