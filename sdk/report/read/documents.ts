/** Reads JSON texts of one or several documents; errors name the place of the fault. */
import type { z } from "zod";
import { jsonIn } from "../../../provider/schema/value";

const PREVIEW =
  "the output of `pulumi preview --json`; if that printed nothing, it failed: the error message is on standard error";

/** Recognizes events of the engine, which hold secrets in plaintext at debug level. */
const EVENT = /"(?:sequence|diagnosticEvent|resOutputsEvent)"/;

/** Whether an error may quote the text. */
type Quotes = () => boolean;

/** The documents in the text. Errors name `source` and `expectation`, and quote the text only if it holds no events. */
export function documentsIn(text: string, source: string, expectation = PREVIEW, mayQuote = true): unknown[] {
  // This is a function, because only an error needs the search for events, which reads the whole text.
  const quotes = () => mayQuote && !EVENT.test(text);
  const content = text.replace(/^\ufeff/, " ");
  const whole = jsonIn(content);
  if (typeof whole === "object" && whole !== null) return [whole];
  let offset = 0;
  const documents: unknown[] = [];
  // Pulumi indents the inside of a document, so a bracket at the beginning of a line begins a document.
  for (const part of content.split(/^(?=[{[])/m)) {
    if (part.trim() !== "") documents.push(parse(part, content, offset, source, quotes));
    offset += part.length;
  }
  if (documents.length > 0) return documents;
  throw new Error(`${source}: is empty. Expected ${expectation}`);
}

function parse(part: string, text: string, offset: number, source: string, quotes: Quotes): unknown {
  if (!/^[{[]/.test(part)) throw notJson(text, offset + part.search(/\S/), source, quotes);
  try {
    return JSON.parse(part);
  } catch (error) {
    const { message } = error as Error;
    // The error of `JSON.parse` does not always give the position.
    const [match, position] = / at position (\d+)/.exec(message) ?? [];
    const end = part.trimEnd().length;
    if (/end of JSON input|^Unterminated/.test(message) || Number(position) >= end)
      throw new Error(
        `${place(text, offset + end, source)}: the text ends before the end of the document that begins in line ${lineAndColumn(text, offset).line}. The text is cut off: was it written completely?`,
      );
    if (match === undefined || position === undefined) {
      const why = quotes() ? `: ${message}` : "";
      throw new Error(`${place(text, offset, source)}: begins a document that is not JSON${why}`);
    }
    const at = offset + Number(position);
    if (message.startsWith("Unexpected non-whitespace")) throw notJson(text, at, source, quotes);
    throw new Error(`${place(text, at, source)}: ${message.slice(0, message.indexOf(match))}`);
  }
}

function notJson(text: string, at: number, source: string, quotes: Quotes): Error {
  const line = text.slice(at, at + 60).split(/[\r\n]/, 1)[0] as string;
  const hint = /^(Previewing|Updating|Refreshing|Destroying|View )/.test(line)
    ? "this is what Pulumi says to people: call it with --json"
    : "if something else was printed in between, keep it off standard output";
  return new Error(
    `${place(text, at, source)}: expected a JSON object, found ${quotes() ? JSON.stringify(line) : "other text"}; ${hint}`,
  );
}

/** A place such as `FILE, line 3, column 14`. Lines and columns count from 1. */
export function place(text: string, at: number, source: string): string {
  const { line, column } = lineAndColumn(text, at);
  return `${source}, line ${line}, column ${column}`;
}

function lineAndColumn(text: string, at: number) {
  const head = text.slice(0, at);
  return { line: head.split("\n").length, column: at - head.lastIndexOf("\n") };
}

/**
 * Checks a document by its schema, and returns the document itself, not a copy. Throws an Error that names the path of
 * the fault and, if `quotes` is true, the value there.
 */
export function checkDocument<Schema extends z.ZodType>(
  schema: Schema,
  document: unknown,
  prefix: string,
  quotes = true,
): z.output<Schema> {
  const { error } = schema.safeParse(document, { reportInput: true });
  if (error) throw new Error(`${prefix}${faultOf(error.issues[0] as z.core.$ZodIssue, quotes)}`);
  return document as z.output<Schema>;
}

/** A fault in words, such as `$.steps[3].op: expected string, found nothing`. */
function faultOf(issue: z.core.$ZodIssue, quotes: boolean): string {
  const expectation =
    issue.code === "invalid_type"
      ? `expected ${issue.expected}`
      : issue.message.replace(/^Invalid input: /, "");
  return `${pathOf(issue.path)}: ${expectation}, found ${kindOf(issue.input, quotes)}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const parts = path.map((name) =>
    typeof name === "number"
      ? `[${name}]`
      : /^\w+$/.test(String(name))
        ? `.${String(name)}`
        : `[${JSON.stringify(name)}]`,
  );
  return `$${parts.join("")}`;
}

function kindOf(value: unknown, quotes: boolean): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return quotes ? JSON.stringify(value).slice(0, 60) : `a ${typeof value}`;
}
