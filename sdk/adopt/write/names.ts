/** Names in the program: legal in every language, unique, readable, and the same the next time. */
import type { Live } from "../read/account";

export interface Naming {
  /** Of the resource: it is part of its URN. */
  readonly resource: string;
  /** Its words, for the name of a variable in any language. */
  readonly words: readonly string[];
}

const LONGEST = 60;
const SHORT_ID = 8;

/** Gives out names, each once. Two that differ in capitals or separators alone would be one variable. */
export class Names {
  /** Pulumi's YAML has something of its own under this name. */
  readonly #taken = new Set(["pulumi"]);

  /** The first of these texts that makes a name which is free; else the last with as much of the id as it takes. */
  give(id: string, ...texts: readonly string[]): Naming {
    const slugs = texts.map(slugOf).filter((slug) => slug !== "");
    const last = slugs.at(-1);
    const digits = id.replaceAll("-", "").toLowerCase();
    const longer = Array.from({ length: digits.length - SHORT_ID + 1 }, (_, more) =>
      [last ?? "unnamed", digits.slice(0, SHORT_ID + more)].join("-"),
    );
    const resource = [...slugs, ...longer].find((name) => this.#take(name)) ?? `${last}-${id}`;
    return { resource, words: resource.split("-") };
  }

  #take(name: string): boolean {
    const key = name.replaceAll("-", "").toLowerCase();
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

/** Letters without their accents, digits, and a hyphen for all else. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-");
  return words.slice(0, LONGEST).replace(/^-+|-+$/g, "");
}

/** The names of deployments and listeners by id; `given` are those that another tool has for some. */
export function namesOf(
  deployments: readonly Live[],
  listeners: readonly Live[],
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, Naming> {
  const names = new Names();
  const named = ({ id }: Live, ...texts: readonly string[]): [string, Naming] => {
    const other = given.get(id.toLowerCase());
    return [id, names.give(id, ...(other === undefined ? [] : [other]), ...texts)];
  };
  // The other tool's first, then the oldest: what is made later takes no name away.
  const isGiven = ({ id }: Live): number => Number(given.has(id.toLowerCase()));
  const inOrder = [...deployments].sort((one, other) => isGiven(other) - isGiven(one));
  return new Map([
    ...inOrder.map((live) => named(live, String(live.values.name ?? ""))),
    ...listeners.map((live) => {
      const own = String(live.values.computeId ?? "");
      return named(live, own, `${own}-listener`);
    }),
  ]);
}
