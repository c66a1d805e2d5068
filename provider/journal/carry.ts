/**
 * Sends a request that must not take effect twice: records its attempt before each try, and notes its answer. Looks
 * for the request's result on the service if the answer is lost.
 */
import type { Clock } from "../client/clock";
import { mayHaveBeenApplied } from "../client/errors";
import type { Intent, Moment } from "./attempt";
import { JournalConflict } from "./faults";
import type { Journal } from "./journal";
import type { Tried } from "./resolve";

const LOOKS = 4;
const BETWEEN_LOOKS_MS = 700;

export interface Request<T> {
  readonly intent: Intent;
  /** Sends the request. Must call `beforeSending` right before each try. */
  readonly send: (beforeSending: () => Promise<void>) => Promise<T>;
  /** The id that the answer names, as the attempt records it. */
  readonly noteOf: (answer: T) => string | null;
  /** The request's result after a lost answer; undefined while the service does not show the result. */
  readonly find: (tried: Tried, lost: Error) => Promise<T | undefined>;
  /** Whether to send the request once more if the service does not show its result; false by default. */
  readonly isRepeatable?: boolean;
  /** The error if nothing shows whether the request took effect. `failure`: the error of the last try or look-up. */
  readonly inDoubt: (failure: Error, tried: Tried) => Error;
}

/** The run that sends the request. */
interface Sender {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The times of a request that is sent right now. */
  readonly moment: () => Moment;
  /** Reports that the answer is lost. */
  readonly tellLost: (lost: Error) => Promise<void>;
}

/** A request's answer, and the attempt with the id in this answer. */
export interface Answered<T> {
  readonly answer: T;
  readonly tried: Tried;
}

/**
 * Returns the answer or, after a lost answer, the result that `find` returns. Throws a JournalConflict if another run
 * has an attempt for the same resource.
 */
export async function carry<T>(request: Request<T>, sender: Sender): Promise<Answered<T>> {
  const { intent, noteOf } = request;
  const { journal, moment } = sender;
  let tried: Tried = { ...intent, ...moment() };
  let sentAt: number | undefined;
  const send = () =>
    request.send(async () => {
      const now = moment();
      // Any of the tries may have arrived, so the request's time begins with the first try.
      sentAt ??= now.sentAt;
      tried = { ...intent, ...now, sentAt };
      await journal.put(intent, tried);
    });
  const answered = async (answer: T): Promise<Answered<T>> => {
    const note = noteOf(answer);
    await journal.answer(intent, note);
    return { answer, tried: { ...tried, answer: note } };
  };
  try {
    return await answered(await send());
  } catch (error) {
    const lost = error as Error;
    if (!mayHaveBeenApplied(lost)) {
      // After a conflict, the attempt belongs to another run, and nothing was sent.
      if (!(lost instanceof JournalConflict)) await journal.drop(intent);
      throw lost;
    }
    await sender.tellLost(lost);
    try {
      const result = await look(request, sender, tried, lost);
      if (result === undefined && !request.isRepeatable) throw lost;
      return await answered(result ?? (await send()));
    } catch (failure) {
      throw request.inDoubt(failure as Error, tried);
    }
  }
}

async function look<T>({ find }: Request<T>, { clock }: Sender, tried: Tried, lost: Error) {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await clock.sleep(BETWEEN_LOOKS_MS);
    const result = await find(tried, lost);
    if (result !== undefined) return result;
  }
  return undefined;
}
