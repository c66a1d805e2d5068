/** Reads JSON texts of one or several documents; errors name the place. */
import type { z } from "zod";

const PREVIEW =
  "the output of `pulumi preview --json`; if that printed nothing, it failed: its own words say why";

/** Recognizes events of the engine, which hold secrets in plaintext at debug level. */
const EVENT = /"(?:sequence|diagnosticEvent|resOutputsEvent)"/;

/** Whether an error may quote the text. */
type Quotes = () => boolean;

/**
 * The documents in the text. `source` and `expectation` are for errors, which do not quote a text that has events. Throws an
 * Error.
 */
export function documentsIn(text: string, source: string, expectation = PREVIEW, mayQuote = true): unknown[] {
  // This is a function because it searches the whole text, and only errors need the answer.
  const quotes = () => mayQuote && !EVENT.test(text);
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const documents: unknown[] = [];
  for (let at = skipSpace(text, start); at < text.length; ) {
    const end = endOfDocument(text, at, source, quotes);
    if (!end.isClosed) throw cutOff(text, at, source);
    // Usually there is only one document; do not copy a long text then.
    const json = at === 0 && end.at === text.length ? text : text.slice(at, end.at);
    documents.push(parse(json, text, at, source, quotes));
    if (end.tooDeep !== undefined) throw tooDeep(text, end.tooDeep, source);
    at = skipSpace(text, end.at);
  }
  if (documents.length > 0) return documents;
  throw new Error(`${source}: is empty. Expected ${expectation}`);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] as string)) at += 1;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** No plan is nested deeper; the limit keeps recursive readers from overflowing the stack. */
const DEEPEST = 500;

interface End {
  readonly at: number;
  /** Whether all brackets are closed. */
  readonly isClosed: boolean;
  /** The first place that is nested too deeply. */
  readonly tooDeep: number | undefined;
}

/** Finds the end of the object or array that starts here, by its brackets. */
function endOfDocument(text: string, start: number, source: string, quotes: Quotes): End {
  if (text[start] !== "{" && text[start] !== "[") throw notJson(text, start, source, quotes);
  let depth = 0;
  let tooDeep: number | undefined;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > DEEPEST) tooDeep ??= at;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return { at: at + 1, isClosed: true, tooDeep };
    }
  }
  return { at: text.length, isClosed: false, tooDeep };
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function parse(json: string, text: string, offset: number, source: string, quotes: Quotes): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const { message } = error as Error;
    // The engine does not always tell the position.
    const [match, position] = / at position (\d+)/.exec(message) ?? [];
    if (match === undefined || position === undefined) {
      const why = quotes() ? `: ${message}` : "";
      throw new Error(`${place(text, offset, source)}: begins a document that is not JSON${why}`);
    }
    const problem = message.slice(0, message.indexOf(match));
    throw new Error(`${place(text, offset + Number(position), source)}: ${problem}`);
  }
}

function cutOff(text: string, start: number, source: string): Error {
  const { line } = lineAndColumn(text, start);
  return new Error(
    `${place(text, text.length, source)}: found the end before that of the document that begins in line ${line}. The text is cut off: was it written completely?`,
  );
}

function tooDeep(text: string, at: number, source: string): Error {
  return new Error(
    `${place(text, at, source)}: expected objects and arrays nested at most ${DEEPEST} deep, found a deeper one`,
  );
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

/** `FILE, line 3, column 14`, both counted from 1. */
export function place(text: string, at: number, source: string): string {
  const { line, column } = lineAndColumn(text, at);
  return `${source}, line ${line}, column ${column}`;
}

function lineAndColumn(text: string, at: number) {
  const head = text.slice(0, at);
  return { line: head.split("\n").length, column: at - head.lastIndexOf("\n") };
}

/**
 * The document itself, not a copy, after the schema accepts it. Throws an Error with the path of the fault and, if it
 * `quotes`, the value there.
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

/** `$.steps[3].op: expected string, found nothing`. */
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
