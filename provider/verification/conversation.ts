/** Asks a running deployment one question, and compares the reply with the expected reply. */
import type { Clock } from "../client/clock";
import {
  isForbidden,
  isNotFound,
  isUnauthorized,
  RunFailedError,
  ServiceError,
  UnreachableError,
} from "../client/errors";
import { type NewMessage, RuntimeClient, type RuntimeClientOptions, textOfMessage } from "../client/runtime";
import { RefusedError } from "../failure";
import type { ValuesOf } from "../schema/kind";
import { printable, redacted } from "../schema/secrecy";
import type { SmokeTestReport } from "../schema/smokeTest";
import { isAbsent } from "../schema/value";
import type { verificationRows } from "../schema/verification";
import { sentence } from "../schema/words";

export interface Question {
  readonly options: RuntimeClientOptions;
  /** The names of the settings that supply the credential, for error messages. */
  readonly credential: string;
  readonly assistantId: string;
  readonly messages: readonly NewMessage[];
  readonly expect: Expectation;
  /** The time-out of the whole conversation. */
  readonly timeoutSeconds: number;
  readonly clock: Clock;
}

const LONGEST_REQUEST_SECONDS = 30;
/** A request that fails with at most this much time left before the deadline counts as timed out. */
const END_MS = 600;

/** The run failed, or its reply is wrong. Any other RefusedError means that no reply arrived. */
export class WrongReplyError extends RefusedError {}

/** Throws a RefusedError with advice if the expected reply does not arrive. */
export async function ask(question: Question): Promise<SmokeTestReport> {
  const { options, timeoutSeconds, clock } = question;
  const longest = options.requestTimeoutSeconds ?? LONGEST_REQUEST_SECONDS;
  const requestTimeoutSeconds = Math.min(longest, timeoutSeconds);
  const client = new RuntimeClient({ ...options, requestTimeoutSeconds, clock });
  const started = clock.now();
  try {
    return await conversation(client, question, started);
  } catch (error) {
    throw explained(error, question, clock.now() - started >= timeoutSeconds * 1000 - END_MS);
  } finally {
    await client.close();
  }
}

async function conversation(
  client: RuntimeClient,
  question: Question,
  started: number,
): Promise<SmokeTestReport> {
  const { assistantId, messages, timeoutSeconds, clock } = question;
  const { threadId } = await client.createThread();
  const run = { assistantId, input: { messages }, multitaskStrategy: "reject" };
  const { runId } = await client.createRun(threadId, run);
  const secondsLeft = timeoutSeconds - (clock.now() - started) / 1000;
  await client.joinRun(threadId, runId, { timeoutSeconds: secondsLeft });
  const lastMessage = (await client.getState(threadId)).values.messages.at(-1);
  // Without a reply, the question is the last message. The question may itself contain the expected text.
  if (lastMessage === undefined || lastMessage.type === "human") {
    const place = `thread ${threadId}, run ${runId}`;
    throw new RefusedError(`got no answer: the run ended without a message after the question (${place})`);
  }
  const seconds = Math.round(clock.now() - started) / 1000;
  const reply = textOfMessage(lastMessage);
  const mismatch = mismatchWith(question.expect, reply);
  if (mismatch === undefined) return { reply, threadId, runId, seconds };
  const where = `assistant "${printable(assistantId)}" at ${question.options.deploymentUrl}, thread ${threadId}, run ${runId}`;
  throw new WrongReplyError(`wrong answer: ${mismatch} (${where}, after ${seconds} s)`);
}

function explained(error: unknown, question: Question, isLate: boolean): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error instanceof RunFailedError)
    return new WrongReplyError(`the run failed: ${error.message}`, "", error);
  return new RefusedError(failureText(error, question, isLate), "", error);
}

function failureText(
  error: ServiceError,
  { assistantId, timeoutSeconds, credential }: Question,
  isLate: boolean,
): string {
  if (error instanceof UnreachableError && isLate) {
    return `got no answer within its time-out of ${timeoutSeconds} s (timeoutSeconds): ${error.message}`;
  }
  if (isUnauthorized(error) || isForbidden(error)) {
    return `${sentence(error.message)} Check ${credential}`;
  }
  if (!isNotFound(error)) return error.message;
  return error.operation === "create run"
    ? `${sentence(error.message)} Is there an assistant "${printable(assistantId)}" (assistantId) on this deployment?`
    : `${sentence(error.message)} Is deploymentUrl the address of a running deployment?`;
}

/** The expected reply. Exactly one member is set. */
export type Expectation = ValuesOf<typeof verificationRows>["expect"];

const LONGEST_SHOWN = 500;

/** The expected reply and the actual reply, in words; undefined if the reply matches. */
function mismatchWith({ contains, matches, equals }: Expectation, reply: string): string | undefined {
  const [isRight, wanted] = !isAbsent(contains)
    ? [reply.includes(contains), `a text that contains ${shown(contains)}`]
    : !isAbsent(matches)
      ? [new RegExp(matches).test(reply), `a text that matches /${printable(matches)}/`]
      : [reply === equals, `the text ${shown(equals ?? "")}`];
  if (isRight) return undefined;
  return `expected ${wanted}, but ${reply === "" ? "got a message without text" : `got ${shown(reply)}`}`;
}

/** The string in quotes on one line. A long string is truncated. */
export function shown(text: string): string {
  const line = printable(JSON.stringify(redacted(text)));
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line;
}
