/** Conversations that verify a revision. The outcome is right, wrong or, if too few replies arrive, inconclusive. */

import { type RuntimeClientOptions, runtimeConnection } from "../client/connection";
import { ConfigurationError } from "../client/errors";
import { textOfMessage } from "../client/runtime";
import { RefusedError } from "../failure";
import type { Fault } from "../schema/check";
import { printable } from "../schema/secrecy";
import { TEST_TIMEOUT_SECONDS } from "../schema/smokeTest";
import { hasUnknown, isAbsent, isProperties, UNKNOWN } from "../schema/value";
import type { Verification } from "../schema/verification";
import { ask, type Question, shown, WrongReplyError } from "./conversation";

export interface Outcome {
  readonly end: "right" | "wrong" | "inconclusive";
  /** The question and the reply, or why no reply arrived; empty if the reply is right. */
  readonly words: string;
}

type Around = Pick<Question, "clock">;

/** The faults that the table's check cannot find. An unknown value has no fault. */
export function verificationFaults(verification: unknown): Fault[] {
  if (!isProperties(verification)) return [];
  const { expect, messages, deploymentUrl, apiKey, runs = 1, atLeast } = verification;
  const isTooMany = typeof runs === "number" && typeof atLeast === "number" && atLeast > runs;
  return [
    expectationFault(expect),
    messagesFault(messages),
    addressFault({ deploymentUrl, apiKey } as Question["options"]),
    isTooMany ? { path: ["atLeast"], words: `got ${atLeast}; allowed: at most runs, ${runs}` } : undefined,
  ].flatMap((fault) => fault ?? []);
}

const BETWEEN_ROUNDS_MS = 10_000;

/** Asks again until `bakeSeconds` have passed or an outcome is not right. `url`: the default for `deploymentUrl`. */
export async function verify(verification: Verification, url: unknown, around: Around): Promise<Outcome> {
  const { clock } = around;
  let outcome = await verifyOnce(verification, url, around);
  const end = clock.now() + (verification.bakeSeconds ?? 0) * 1000;
  for (let left = end - clock.now(); outcome.end === "right" && left > 0; left = end - clock.now()) {
    await clock.sleep(Math.min(BETWEEN_ROUNDS_MS, left));
    outcome = await verifyOnce(verification, url, around);
  }
  return outcome;
}

/** Holds conversations until enough replies are right, or until too few conversations remain to reach that number. */
async function verifyOnce(verification: Verification, url: unknown, around: Around): Promise<Outcome> {
  const { deploymentUrl = url, runs = 1, atLeast = runs } = verification;
  if (typeof deploymentUrl !== "string")
    return { end: "inconclusive", words: "the service reports no address for it: set deploymentUrl" };
  const outcomes: Outcome[] = [];
  const countOf = (end: Outcome["end"]) => outcomes.filter((outcome) => outcome.end === end).length;
  const isOpen = () => countOf("right") < atLeast && outcomes.length - countOf("right") <= runs - atLeast;
  while (isOpen()) outcomes.push(await converse(verification, deploymentUrl, around));
  if (countOf("right") >= atLeast) return { end: "right", words: "" };
  const end = countOf("wrong") > runs - atLeast ? "wrong" : "inconclusive";
  const { words = "" } = outcomes.findLast((outcome) => outcome.end !== "right") ?? {};
  const count = `${countOf("right")} of ${outcomes.length} replies were right, and ${atLeast} of ${runs} must be: `;
  return { end, words: runs === 1 ? words : `${count}${words}` };
}

async function converse(verification: Verification, url: string, around: Around): Promise<Outcome> {
  const { assistantId, messages, expect, apiKey, timeoutSeconds = TEST_TIMEOUT_SECONDS } = verification;
  const options = { deploymentUrl: url, ...(apiKey !== undefined && { apiKey }) };
  const credential = "apiKey of rollout.verify";
  const question = { assistantId, messages: messages as never, expect, timeoutSeconds };
  try {
    await ask({ ...question, options, credential, ...around });
    return { end: "right", words: "" };
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof ConfigurationError)) throw error;
    const end = error instanceof WrongReplyError ? "wrong" : "inconclusive";
    return {
      end,
      words: `asked ${shown(textOfMessage(messages.at(-1) ?? { content: "" }))}: ${error.message}`,
    };
  }
}

const KINDS = ["contains", "matches", "equals"] as const;

export function expectationFault(expectation: unknown): Fault | undefined {
  if (expectation === UNKNOWN || !isProperties(expectation)) return undefined;
  const kinds = KINDS.filter((kind) => !isAbsent(expectation[kind]));
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? "none of them" : kinds.join(" and ");
    return { path: ["expect"], words: `got ${got}; allowed: exactly one of ${KINDS.join(", ")}` };
  }
  const { matches } = expectation;
  if (typeof matches !== "string" || hasUnknown(matches)) return undefined;
  try {
    new RegExp(matches);
    return undefined;
  } catch (error) {
    const words = `is not a valid regular expression: ${printable((error as Error).message)}`;
    return { path: ["expect", "matches"], words };
  }
}

export function messagesFault(messages: unknown): Fault | undefined {
  if (!Array.isArray(messages)) return undefined;
  if (messages.length === 0) return { path: ["messages"], words: "is empty; allowed: at least one message" };
  const badIndex = messages.findIndex((message) => {
    const content = isProperties(message) ? message.content : "";
    return typeof content !== "string" && !Array.isArray(content);
  });
  return badIndex < 0
    ? undefined
    : { path: ["messages", String(badIndex), "content"], words: "allowed: a string or a list of parts" };
}

/** The fault in the options of a runtime client, if any. Unknown options and a missing address are not faults. */
export function addressFault(options: RuntimeClientOptions): Fault | undefined {
  if (Object.values(options).some(hasUnknown) || isAbsent(options.deploymentUrl)) return undefined;
  try {
    runtimeConnection(options);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return { path: [error.place], words: error.words };
    throw error;
  }
}
