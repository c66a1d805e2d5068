/** Names the program's resources. Each name is legal in every program, unique, readable, and the same in each run. */
import type { AccountEntry } from "../read/account";
import type { TerraformResource } from "../read/terraform";

export interface Naming {
  /** The resource's name, a part of the resource's URN. */
  readonly resource: string;
  /** The words of the resource's name. The program's variable name consists of these words. */
  readonly words: readonly string[];
}

const LONGEST = 60;
const SHORT_ID = 8;

/** Gives each name to one resource only. Names that differ only in case or separators count as equal. */
export class Names {
  /** The names in use, in lower case without hyphens. Pulumi's YAML reserves `pulumi`. */
  readonly #taken = new Set(["pulumi"]);

  /** Makes a name from the first string that yields a free name. If no string does, appends a part of the id. */
  give(id: string, ...texts: readonly string[]): Naming {
    const slugs = texts.map(slugOf).filter((slug) => slug !== "");
    const last = slugs.at(-1);
    const longer = `${last ?? "unnamed"}-${id.slice(0, SHORT_ID).toLowerCase()}`;
    const resource = [...slugs, longer].find((name) => this.#take(name)) ?? `${last ?? "unnamed"}-${id}`;
    return { resource, words: resource.split("-") };
  }

  #take(name: string): boolean {
    const key = name.replaceAll("-", "").toLowerCase();
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

/** The string's letters (without accents) and digits. A hyphen replaces each run of other characters. */
function slugOf(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-");
  return words.slice(0, LONGEST).replace(/^-+|-+$/g, "");
}

/** The names of deployments and listeners, by id. */
export function namesOf(
  deployments: readonly AccountEntry[],
  listeners: readonly AccountEntry[],
  terraform: ReadonlyMap<string, Pick<TerraformResource, "name">>,
): ReadonlyMap<string, Naming> {
  const names = new Names();
  const resourceOf = ({ id }: AccountEntry) => terraform.get(id.toLowerCase());
  const entryOf = (live: AccountEntry, ...texts: readonly string[]): [string, Naming] => [
    live.id,
    names.give(live.id, resourceOf(live)?.name ?? "", ...texts),
  ];
  // Deployments in Terraform get their names first. The rest follow, oldest first, so a new deployment cannot take
  // an older deployment's name.
  const isInTerraform = (live: AccountEntry): number => Number(resourceOf(live) !== undefined);
  const inOrder = [...deployments].sort((first, second) => isInTerraform(second) - isInTerraform(first));
  return new Map([
    ...inOrder.map((live) => entryOf(live, String(live.values.name ?? ""))),
    ...listeners.map((live) => {
      const computeId = String(live.values.computeId ?? "");
      return entryOf(live, computeId, `${computeId}-listener`);
    }),
  ]);
}
