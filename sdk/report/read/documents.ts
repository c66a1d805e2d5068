/** Reads JSON documents. Errors name the place of the fault and quote no input, because the input may have secrets. */
import { z } from "zod";
import { jsonIn } from "../../../provider/schema/value";

const PREVIEW =
  "the output of `pulumi preview --json`; if that printed nothing, it failed: the error message is on standard error";

/** Errors name `source` and `expectation`. */
export function documentsIn(text: string, source: string, expectation = PREVIEW): unknown[] {
  const content = text.replace(/^\ufeff/, " ");
  const whole = jsonIn(content);
  if (typeof whole === "object" && whole !== null) return [whole];
  let offset = 0;
  const documents: unknown[] = [];
  // Pulumi indents the inside of a document, so a bracket at the beginning of a line begins a document.
  for (const part of content.split(/^(?=[{[])/m)) {
    if (part.trim() !== "") documents.push(parse(part, content, offset, source));
    offset += part.length;
  }
  if (documents.length > 0) return documents;
  throw new Error(`${source}: is empty. Expected ${expectation}`);
}

function parse(part: string, text: string, offset: number, source: string): unknown {
  const start = place(text, offset + Math.max(part.search(/\S/), 0), source);
  if (!/^[{[]/.test(part)) {
    throw new Error(
      `${start}: expected a JSON object, found other text; call Pulumi with --json, and keep other output off standard output`,
    );
  }
  try {
    return JSON.parse(part);
  } catch (error) {
    const { message } = error as Error;
    const position = / at position (\d+)/.exec(message)?.[1];
    const isCut =
      /end of JSON input|^Unterminated/.test(message) || Number(position) >= part.trimEnd().length;
    const why = isCut
      ? "the text ends before the end of the document that begins here. The text is cut off: was it written completely?"
      : "the document that begins here is not JSON";
    throw new Error(`${start}: ${why}`);
  }
}

/** A place such as `FILE, line 3, column 14`. Lines and columns count from 1. */
export function place(text: string, at: number, source: string): string {
  const head = text.slice(0, at);
  return `${source}, line ${head.split("\n").length}, column ${at - head.lastIndexOf("\n")}`;
}

/**
 * Returns the document itself, not a copy. Throws an Error that quotes no value and names the path of the fault, such
 * as `$.steps[3].op: expected string, received undefined`.
 */
export function checkDocument<Schema extends z.ZodType>(
  schema: Schema,
  document: unknown,
  prefix: string,
): z.output<Schema> {
  const [issue] = schema.safeParse(document).error?.issues ?? [];
  if (issue === undefined) return document as z.output<Schema>;
  const path = `.${z.core.toDotPath(issue.path)}`.replace(/^\.\[/, "[");
  throw new Error(`${prefix}$${path}: ${issue.message.replace(/^Invalid input: /, "")}`);
}
