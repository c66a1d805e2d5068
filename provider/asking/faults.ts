/** Faults of a question to a running deployment that its table cannot express. */
import { type RuntimeClientOptions, runtimeConnection } from "../client/connection";
import { ConfigurationError } from "../client/errors";
import type { Fault } from "../fields/check";
import { hasUnknown, isAbsent, isProperties, UNKNOWN } from "../fields/value";
import { escapeControls } from "../fields/words";

const KINDS = ["contains", "matches", "equals"] as const;

/** The fault of the expectation itself, if any. */
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
    const words = `is not a valid regular expression: ${escapeControls((error as Error).message)}`;
    return { path: ["expect", "matches"], words };
  }
}

/** The fault of the messages, if any. */
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

/** The fault of the options of a client of the deployment, if any. Unknown options and a missing address pass. */
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
