/** A text that a regular expression matches, for replies of the mocks. */

/** Characters that are tried for a class or an escape, the plainest first. */
const CHARACTERS = [
  ..."a0A ",
  ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
  "\n",
  "é",
];

/** Undefined for an expression that it cannot handle, such as one with a look-around. */
export function textMatching(expression: string): string | undefined {
  try {
    const reader = new Reader(expression);
    const text = reader.choice();
    return new RegExp(expression).test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads an expression from left to right, and writes the shortest text that it matches. Of several alternatives, it
 * takes the first.
 */
class Reader {
  #rest: string;
  readonly #groups: string[] = [];

  constructor(expression: string) {
    this.#rest = expression;
  }

  choice(): string {
    const first = this.#sequence();
    while (this.#take(/^\|/)) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#rest !== "" && !/^[|)]/.test(this.#rest)) {
      const part = this.#part();
      text += part.repeat(this.#times());
    }
    return text;
  }

  #part(): string {
    if (this.#take(/^(\^|\$|\\[bB])/)) return "";
    if (this.#take(/^\((?!\?[=!<])|^\(\?<(?![=!])[^>]*>/)) return this.#group();
    const [, reference] = this.#take(/^\\([1-9])/) ?? [];
    if (reference !== undefined) return this.#groups[Number(reference) - 1] ?? "";
    const [atom] =
      this.#take(/^(\[\^?\]?(\\.|[^\]\\])*\]|\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Z]|.)|[^()])/s) ?? [];
    const whole = new RegExp(`^(?:${atom})$`);
    const character = [...CHARACTERS, atom?.replace(/^\\/, "")].find((each) => whole.test(each ?? ""));
    if (atom === undefined || character === undefined) throw new RangeError("not understood");
    return character;
  }

  #group(): string {
    const isCounted = this.#take(/^\?:/) === null;
    const place = isCounted ? this.#groups.push("") - 1 : -1;
    const text = this.choice();
    if (isCounted) this.#groups[place] = text;
    if (!this.#take(/^\)/)) throw new RangeError("not understood");
    return text;
  }

  /** Minimum number of repetitions that the quantifier after a part requires. */
  #times(): number {
    const [quantifier, , least] = this.#take(/^([?*+]|\{(\d+)(,\d*)?\})\??/) ?? [];
    if (quantifier === undefined || quantifier.startsWith("+")) return 1;
    return Number(least ?? 0);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#rest);
    if (match !== null) this.#rest = this.#rest.slice(match[0].length);
    return match;
  }
}
