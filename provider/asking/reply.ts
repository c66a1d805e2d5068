/** Compares the reply of a deployment with the expected one. */

import type { ValuesOf } from "../fields/kind";
import { isAbsent } from "../fields/value";
import type { verificationRows } from "../fields/verification";
import { escapeControls } from "../fields/words";

/** An expectation, of which exactly one member is set. */
export type Expectation = ValuesOf<typeof verificationRows>["expect"];

const LONGEST_SHOWN = 500;

/** The expected and the actual reply, if they do not match. */
export function mismatchWith(expectation: Expectation, reply: string): string | undefined {
  const { contains, matches, equals } = expectation;
  if (!isAbsent(contains)) {
    return reply.includes(contains) ? undefined : mismatch(`a text that contains ${shown(contains)}`, reply);
  }
  if (!isAbsent(matches)) {
    return new RegExp(matches).test(reply)
      ? undefined
      : mismatch(`a text that matches /${escapeControls(matches)}/`, reply);
  }
  return reply === equals ? undefined : mismatch(`the text ${shown(equals ?? "")}`, reply);
}

const mismatch = (expectation: string, reply: string): string =>
  `expected ${expectation}, but ${reply === "" ? "a message without text came" : `${shown(reply)} came`}`;

/** A text of a conversation, shortened to one line. */
export function shown(text: string): string {
  const line = escapeControls(JSON.stringify(text));
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line;
}
