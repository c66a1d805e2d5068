/**
 * Text for people of which it is known what is ours. A secret may be an ordinary word, such as `revision`: what came from
 * outside is masked before it is shown, and a sentence of ours never is.
 *
 * A text of which nothing is known is a string, and is taken to be from outside, so that forgetting to say what is ours
 * masks too much and never too little.
 */

interface Part {
  readonly text: string;
  readonly isOurs: boolean;
}

export class OwnWords {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** The whole text, in clear. */
  toString(): string {
    return this.#parts.map(({ text }) => text).join("");
  }

  toJSON(): string {
    return this.toString();
  }

  /** The whole text, with what came from outside as the function shows it. */
  masked(mask: (outside: string) => string): string {
    return this.#parts.map(({ text, isOurs }) => (isOurs ? text : mask(text))).join("");
  }
}

export type Words = string | OwnWords;

/** All of it is ours: the name of a field, of a resource in the program, or words that were put together elsewhere. */
export const ours = (text: string): OwnWords => new OwnWords([{ text, isOurs: true }]);

const partsOf = (value: unknown): readonly Part[] =>
  value instanceof OwnWords ? value.parts : [{ text: String(value), isOurs: false }];

/** A template whose literal parts are ours; what is put in comes from outside, unless it is such words itself. */
export function own(literals: TemplateStringsArray, ...values: readonly unknown[]): OwnWords {
  const parts = literals.flatMap((text, index): readonly Part[] => [
    ...(index === 0 ? [] : partsOf(values[index - 1])),
    { text, isOurs: true },
  ]);
  return new OwnWords(merged(parts));
}

/** The words one after the other; what stands between them is ours. */
export function joined(words: readonly Words[], separator = ""): OwnWords {
  const between: Part = { text: separator, isOurs: true };
  return new OwnWords(
    merged(words.flatMap((each, index) => [...(index === 0 ? [] : [between]), ...partsOf(each)])),
  );
}

/** The words with every piece of them changed. */
export const eachPart = (words: Words, change: (text: string) => string): OwnWords =>
  new OwnWords(partsOf(words).map(({ text, isOurs }) => ({ text: change(text), isOurs })));

/** Pieces from outside that stand side by side are one: a secret may be in both. */
function merged(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts.filter(({ text }) => text !== "")) {
    const last = result.at(-1);
    if (last?.isOurs !== part.isOurs) result.push(part);
    else result.splice(-1, 1, { text: last.text + part.text, isOurs: last.isOurs });
  }
  return result;
}

/** An error whose message is known to be ours in part. */
export class SpokenError extends Error {
  words: Words;

  constructor(words: Words, options?: { cause?: unknown }) {
    super(String(words), options);
    this.words = words;
  }
}

/** What an error says. */
export function wordsOf(error: unknown): Words {
  if (error instanceof SpokenError) return error.words;
  return error instanceof Error ? error.message : String(error);
}
