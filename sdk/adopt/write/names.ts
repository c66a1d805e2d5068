/** Chooses names for the program: legal in every language, unique, readable and stable. */
import type { Live } from "../read/account";
import type { TerraformResource } from "../read/terraform";

export interface Naming {
  /** The resource's name, which is part of its URN. */
  readonly resource: string;
  /** The words of the name, for a variable name in any language. */
  readonly words: readonly string[];
}

const LONGEST = 60;
const SHORT_ID = 8;

/**
 * Gives out each name once. Names that differ only in case or separators count as the same, because they would be one
 * variable.
 */
export class Names {
  /** Pulumi's YAML reserves this name. */
  readonly #taken = new Set(["pulumi"]);

  /**
   * The first text that makes a free name. If there is none, the last text with as many digits of the id as necessary.
   */
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

/** Keeps letters (without accents) and digits; everything else becomes a hyphen. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-");
  return words.slice(0, LONGEST).replace(/^-+|-+$/g, "");
}

/** Names for deployments and listeners, by id. */
export function namesOf(
  deployments: readonly Live[],
  listeners: readonly Live[],
  terraform: ReadonlyMap<string, Pick<TerraformResource, "name">>,
): ReadonlyMap<string, Naming> {
  const names = new Names();
  const entryOf = ({ id }: Live, ...texts: readonly string[]): [string, Naming] => {
    const resource = terraform.get(id.toLowerCase());
    return [id, names.give(id, ...(resource === undefined ? [] : [resource.name]), ...texts)];
  };
  // Resources in Terraform choose first, then the oldest resources, so that a later deployment takes no name from an
  // earlier one.
  const isInTerraform = ({ id }: Live): number => Number(terraform.has(id.toLowerCase()));
  const inOrder = [...deployments].sort((first, second) => isInTerraform(second) - isInTerraform(first));
  return new Map([
    ...inOrder.map((live) => entryOf(live, String(live.values.name ?? ""))),
    ...listeners.map((live) => {
      const computeId = String(live.values.computeId ?? "");
      return entryOf(live, computeId, `${computeId}-listener`);
    }),
  ]);
}
