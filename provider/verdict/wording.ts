/**
 * One wording for both writing and parsing a line: `say` fills in the slots of the wording, and `hear` extracts the
 * parts from a line.
 */
import { escapeControls, unicodeEscapes } from "../fields/words";

interface Piece {
  readonly text: string;
  readonly isOurs: boolean;
}

/**
 * A text that records which of its parts are the provider's own. Text from outside is masked before it is shown. The
 * provider's own wording is never masked, because an ordinary word, such as `revision`, may equal a secret by chance.
 */
export class MarkedWords {
  readonly pieces: readonly Piece[];

  constructor(pieces: readonly Piece[]) {
    this.pieces = joinNeighbors(pieces);
  }

  /** The whole text, with nothing masked. */
  toString(): string {
    return this.masked((text) => text);
  }

  /** The whole text, with `mask` applied to the parts from outside. */
  masked(mask: (outside: string) => string): string {
    return this.pieces.map(({ text, isOurs }) => (isOurs ? text : mask(text))).join("");
  }
}

/** A plain string counts as text from outside. */
export type Words = string | MarkedWords;

export const ours = (text: string): MarkedWords => new MarkedWords([{ text, isOurs: true }]);

/** Joins the words. The separator counts as the provider's own wording. */
export const joined = (words: readonly unknown[], separator = ""): MarkedWords =>
  new MarkedWords(
    words.flatMap((each, index) => [...(index === 0 ? [] : ours(separator).pieces), ...piecesOf(each)]),
  );

/**
 * A whole line: `deployment "chat": has no changes`. The label is never masked, because the engine shows the resource's
 * name too. A host that shows the line under the resource's name shows only `words`.
 */
export class LabelledLine extends MarkedWords {
  constructor(
    label: string,
    readonly words: Words,
  ) {
    super(joined([ours(`${label}: `), words]).pieces);
  }
}

/** A template whose literal parts count as the provider's own wording. */
export const marked = (literals: TemplateStringsArray, ...values: readonly unknown[]): MarkedWords =>
  joined(literals.flatMap((text, index) => [...(index === 0 ? [] : [values[index - 1]]), ours(text)]));

const piecesOf = (value: unknown): readonly Piece[] =>
  value instanceof MarkedWords ? value.pieces : [{ text: String(value), isOurs: false }];

/** Joins neighboring pieces of the same origin, because a secret from outside may span two pieces. */
function joinNeighbors(pieces: readonly Piece[]): Piece[] {
  const joinedPieces: Piece[] = [];
  for (const piece of pieces.filter(({ text }) => text !== "")) {
    const lastPiece = joinedPieces.at(-1);
    if (lastPiece?.isOurs !== piece.isOurs) joinedPieces.push(piece);
    else joinedPieces.splice(-1, 1, { text: lastPiece.text + piece.text, isOurs: lastPiece.isOurs });
  }
  return joinedPieces;
}

type PartIn<Wording extends string> = Wording extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `...${infer Text}` ? Text : Slot) | PartIn<Rest>
  : never;
type Parts<Part extends string, Value> = { readonly [P in Part]: Value };

export interface Sentence<Part extends string, Meaning> {
  /** The wording is the provider's own; the parts come from outside, unless they are MarkedWords. */
  readonly say: (...parts: [Part] extends [never] ? [] : [Parts<Part, unknown>]) => MarkedWords;
  /** The meaning of the words; undefined if the words are a different sentence. */
  readonly hear: (words: string) => Meaning | undefined;
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
    say: (...[parts = {}]: readonly { readonly [part: string]: unknown }[]) =>
      joined(wordsIn(wording, parts)),
    hear: (words) => {
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

function wordsIn(wording: string, parts: { readonly [part: string]: unknown }): Words[] {
  const slots = [...wording.matchAll(SLOT)];
  return wording.split(/\{[.\w]+\}/).flatMap((text, index) => {
    const [, isText, name = ""] = slots[index - 1] ?? [];
    const value = parts[name];
    const part = value instanceof MarkedWords ? value : String(value);
    return [...(index === 0 ? [] : [isText ? part : phrase(part)]), ours(text)];
  });
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

function phrase(words: Words): Words {
  const text = String(words);
  if (PLAIN_PHRASE.test(text) && escapeControls(text) === text) return words;
  const quoted = JSON.stringify(text).replace(/[^\x20-\x7e]/g, unicodeEscapes);
  return escapeControls(quoted);
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
