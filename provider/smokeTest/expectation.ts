/** What the answer of a smoke test has to be. */

import { hasUnknown, isAbsent, isProperties, UNKNOWN } from "../fields/value";
import { plain } from "../fields/words";

const KINDS = ["contains", "matches", "equals"] as const;

/** Exactly one of them is given. */
export type Expectation = { readonly [kind in (typeof KINDS)[number]]?: string };

const LONGEST_SHOWN = 500;

/** What is wrong with the expectation itself, if anything is. */
export function expectationFault(expectation: unknown): string | undefined {
  if (expectation === UNKNOWN || !isProperties(expectation)) return undefined;
  const given = KINDS.filter((kind) => !isAbsent(expectation[kind]));
  if (given.length !== 1) {
    const got = given.length === 0 ? "none of them" : given.join(" and ");
    return `expect: got ${got}; allowed: exactly one of ${KINDS.join(", ")}`;
  }
  const { matches } = expectation;
  if (typeof matches !== "string" || hasUnknown(matches)) return undefined;
  try {
    new RegExp(matches);
    return undefined;
  } catch (error) {
    return `expect.matches: is not a valid regular expression: ${plain((error as Error).message)}`;
  }
}

/** What was expected and what came, when these are not the same. */
export function unmet(expectation: Expectation, reply: string): string | undefined {
  const { contains, matches, equals } = expectation;
  if (!isAbsent(contains)) {
    return reply.includes(contains) ? undefined : words(`a text that contains ${shown(contains)}`, reply);
  }
  if (!isAbsent(matches)) {
    return new RegExp(matches).test(reply)
      ? undefined
      : words(`a text that matches /${plain(matches)}/`, reply);
  }
  return reply === equals ? undefined : words(`the text ${shown(equals ?? "")}`, reply);
}

const words = (expected: string, reply: string): string =>
  `expected ${expected}, but ${reply === "" ? "a message without text came" : `${shown(reply)} came`}`;

function shown(text: string): string {
  const line = plain(JSON.stringify(text));
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line;
}
