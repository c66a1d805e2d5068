/** JSON texts of one or several documents; what is wrong with one is said with its line and column. */

/** A text that is not what it should be. */
export class Malformed extends Error {}

const PREVIEW =
  "the output of `pulumi preview --json`; if that printed nothing, it failed: its own words say why";

/** The documents that stand in the text, one after the other. `source` and `wanted` are for errors; throws `Malformed`. */
export function documentsIn(text: string, source: string, wanted = PREVIEW): unknown[] {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const documents: unknown[] = [];
  for (let at = skipSpace(text, start); at < text.length; ) {
    const end = endOfDocument(text, at, source);
    // The only document, as a rule: no copy of a long text.
    const own = at === 0 && end.at === text.length ? text : text.slice(at, end.at);
    documents.push(parsed(own, text, at, source));
    if (end.tooDeep !== undefined) throw tooDeep(text, end.tooDeep, source);
    at = skipSpace(text, end.at);
  }
  if (documents.length > 0) return documents;
  throw new Malformed(`${source}: is empty. Expected ${wanted}`);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] as string)) at += 1;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What is nested deeper is no plan: nothing that reads it by recursion must run out of its stack. */
const DEEPEST = 500;

interface End {
  readonly at: number;
  /** Where brackets first stand deeper than anything may. */
  readonly tooDeep: number | undefined;
}

/** Where the object or array that begins here ends, found by its brackets alone. */
function endOfDocument(text: string, start: number, source: string): End {
  if (text[start] !== "{" && text[start] !== "[") throw notJson(text, start, source);
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
      if (depth === 0) return { at: at + 1, tooDeep };
    }
  }
  return { at: text.length, tooDeep };
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function parsed(own: string, whole: string, offset: number, source: string): unknown {
  try {
    return JSON.parse(own);
  } catch {
    const fault = faultIn(own);
    throw new Malformed(
      `${place(whole, offset + fault.at, source)}: ${fault.words}${fault.at >= own.length ? ". The text is cut off: was it written completely?" : ""}`,
    );
  }
}

function tooDeep(text: string, at: number, source: string): Malformed {
  return new Malformed(
    `${place(text, at, source)}: expected objects and arrays nested at most ${DEEPEST} deep, found a deeper one`,
  );
}

function notJson(text: string, at: number, source: string): Malformed {
  const line = text.slice(at, at + 60).split(/[\r\n]/, 1)[0] as string;
  const hint = /^(Previewing|Updating|Refreshing|Destroying|View )/.test(line)
    ? "this is what Pulumi says to people: call it with --json"
    : "if something else was printed in between, keep it off standard output";
  return new Malformed(
    `${place(text, at, source)}: expected a JSON object, found ${JSON.stringify(line)}; ${hint}`,
  );
}

/** `FILE, line 3, column 14`, both counted from 1. */
export function place(text: string, at: number, source: string): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return `${source}, line ${line}, column ${column}`;
}

interface Fault {
  readonly at: number;
  readonly words: string;
}

/** Everything but texts in quotes. */
const TOKEN =
  /[ \t\r\n]+|[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true\b|false\b|null\b/y;

/** The token that begins here, or undefined where none does. */
function tokenAt(text: string, at: number): string | undefined {
  if (text[at] === '"') {
    const quoted = text.slice(at, endOfString(text, at) + 1);
    return isText(quoted) ? quoted : undefined;
  }
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0];
}

function isText(quoted: string): boolean {
  try {
    return typeof JSON.parse(quoted) === "string";
  } catch {
    return false;
  }
}

/** Where a text stops being JSON. The engine's own messages do not always say it, and differ between versions. */
function faultIn(text: string): Fault {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  for (let at = 0, length = 0; at < text.length; at += length) {
    const token = tokenAt(text, at);
    if (token === undefined) return badToken(text, at, expected);
    length = token.length;
    if (/^\s/.test(token)) continue;
    const next = after(token, expected, open);
    if (next === undefined)
      return { at, words: `expected ${WORDS[expected]}, found ${JSON.stringify(token.slice(0, 40))}` };
    expected = next;
  }
  return { at: text.length, words: `expected ${WORDS[expected]}, found the end` };
}

type Expected = "value" | "first value" | "name" | "first name" | "colon" | "comma";

const WORDS: { readonly [E in Expected]: string } = {
  value: "a value",
  "first value": "a value or ]",
  name: "a name in quotes",
  "first name": "a name in quotes or }",
  colon: ":",
  comma: "a comma or the closing bracket",
};

/** What may follow the token, or undefined where it must not stand. */
function after(token: string, expected: Expected, open: ("{" | "[")[]): Expected | undefined {
  const inObject = open.at(-1) === "{";
  if (token === "}" || token === "]") {
    const closes = token === "}" ? "first name" : "first value";
    if (inObject !== (token === "}") || (expected !== "comma" && expected !== closes)) return undefined;
    open.pop();
    return "comma";
  }
  if (token === ",")
    return expected === "comma" && open.length > 0 ? (inObject ? "name" : "value") : undefined;
  if (token === ":") return expected === "colon" ? "value" : undefined;
  if (expected === "name" || expected === "first name") return token.startsWith('"') ? "colon" : undefined;
  if (expected !== "value" && expected !== "first value") return undefined;
  if (token !== "{" && token !== "[") return "comma";
  open.push(token);
  return token === "{" ? "first name" : "first value";
}

function badToken(text: string, at: number, expected: Expected): Fault {
  if (/^[\w.+-]*$/.test(text.slice(at, at + 40)) && at + 40 > text.length) {
    return { at: text.length, words: `expected ${WORDS[expected]}, found the end` };
  }
  if (text[at] !== '"') {
    return { at, words: `expected ${WORDS[expected]}, found ${JSON.stringify(text.slice(at, at + 20))}` };
  }
  if (endOfString(text, at) >= text.length) {
    return { at: text.length, words: "expected the end of a text in quotes, found the end" };
  }
  return { at, words: "a text in quotes holds a character or an escape that JSON does not allow" };
}
