/**
 * One wording for both writing and parsing a line: `format` fills in the slots of the wording, and `parse` extracts the
 * parts from a line.
 */
import { redacted } from "../schema/secrecy";
import { escapeControls, unicodeEscapes } from "../schema/words";

type PartIn<Wording extends string> = Wording extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `...${infer Text}` ? Text : Slot) | PartIn<Rest>
  : never;
type Parts<Part extends string, Value> = { readonly [P in Part]: Value };

export interface Sentence<Part extends string, Meaning> {
  /** Fills in the slots. A phrase may come from outside, and is masked. A text is other words, which are not. */
  readonly format: (...parts: [Part] extends [never] ? [] : [Parts<Part, unknown>]) => string;
  /** The meaning of the words; undefined if the words are a different sentence. */
  readonly parse: (words: string) => Meaning | undefined;
}

/** The slots of a wording: `{id}` takes a phrase, which is quoted unless it is plain; `{...message}` takes any text. */
const SLOT = /\{(\.\.\.)?(\w+)\}/g;
const PLAIN = String.raw`[^\s"'(){};,\p{C}]+(?: [^\s"'(){};,\p{C}]+)*`;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const PLAIN_PHRASE = new RegExp(`^${PLAIN}$`, "u");

export function sentence<const Wording extends string, Meaning>(
  wording: Wording,
  meaning: (parts: Parts<PartIn<Wording>, string>) => Meaning | undefined,
): Sentence<PartIn<Wording>, Meaning> {
  // Built only when a line is parsed, because the provider itself only writes lines.
  let pattern: ReturnType<typeof patternOf> | undefined;
  return {
    format: (...[parts = {}]: readonly { readonly [part: string]: unknown }[]) =>
      wording.replace(SLOT, (_slot, isText, name) =>
        isText ? String(parts[name]) : phrase(redacted(String(parts[name]))),
      ),
    parse: (words) => {
      pattern ??= patternOf(wording);
      const { expression, parts } = pattern;
      const match = expression.exec(words);
      if (match === null) return undefined;
      const values = parts.map(({ name, isText }, index) => {
        const part = match[index + 1] as string;
        return [name, isText ? part : unquoted(part)];
      });
      return values.some(([, part]) => part === undefined) ? undefined : meaning(Object.fromEntries(values));
    },
  };
}

/** A regular expression for the whole sentence, and the sentence's parts in the order of the groups. */
function patternOf(wording: string) {
  const parts = [...wording.matchAll(SLOT)].map(([, dots, name]) => ({ name, isText: dots !== undefined }));
  const between = wording.split(/\{[.\w]+\}/).map((text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&"));
  const pattern = between.reduce(
    (all, text, index) => `${all}${parts[index - 1]?.isText ? "(.*)" : `(${QUOTED}|${PLAIN})`}${text}`,
  );
  return { expression: new RegExp(`^${pattern}$`, "su"), parts };
}

function phrase(text: string): string {
  if (PLAIN_PHRASE.test(text) && escapeControls(text) === text) return text;
  return escapeControls(JSON.stringify(text).replace(/[^\x20-\x7e]/g, unicodeEscapes));
}

/** The phrase without quotes; undefined if it has an escape that `phrase` does not write. */
function unquoted(part: string): string | undefined {
  if (!part.startsWith('"')) return part;
  try {
    return JSON.parse(part);
  } catch {
    return undefined;
  }
}
