/** Which deployments of an account are meant. */
import type { DEPLOYMENT_STATUSES } from "../../../provider/fields/deployment";
import type { Properties } from "../../../provider/fields/value";
import type { Account, Live } from "./account";
import type { TerraformResource } from "./terraform";

export interface Wanted {
  /** Patterns of names, with `*` and `?`; none: any name. */
  readonly names: readonly string[];
  readonly statuses: readonly (typeof DEPLOYMENT_STATUSES)[number][];
  readonly ids: readonly string[];
  /** What Terraform manages; undefined where it is not asked about. */
  readonly terraform: readonly TerraformResource[] | undefined;
}

export const isEverything = ({ names, statuses, ids, terraform }: Wanted): boolean =>
  [names, statuses, ids].every((each) => each.length === 0) && terraform === undefined;

export interface Selection {
  readonly chosen: readonly Live[];
  /** Whether that is all there is, and so are the listeners. */
  readonly isWhole: boolean;
  /** Names that Terraform has for them, by id. */
  readonly given: ReadonlyMap<string, string>;
  /** Addresses in Terraform's state of what the account has. */
  readonly addresses: readonly string[];
}

/** Throws an Error for an id that the account does not have, and where nothing is left. */
export function selectionOf(account: Account, wanted: Wanted): Selection {
  const { deployments, listeners = [], connection } = account;
  const missing = wanted.ids.filter((id) => !deployments.some((live) => sameId(live.id, id)));
  if (missing.length > 0)
    throw new Error(`--id: ${connection.baseUrl} has no deployment with the id ${missing.join(", ")}`);
  const isWanted = matcher(wanted);
  const chosen = deployments.filter(({ id, values }) => isWanted(id, values));
  if (chosen.length === 0)
    throw new Error(`${connection.baseUrl}: of its ${deployments.length} deployments none is meant`);
  const known = new Set([...deployments, ...listeners].map(({ id }) => id.toLowerCase()));
  const theirs = (wanted.terraform ?? []).filter(({ id }) => known.has(id));
  return {
    chosen,
    isWhole: isEverything(wanted),
    given: new Map(theirs.map(({ id, name }) => [id, name])),
    addresses: theirs.map(({ address }) => address),
  };
}

const sameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether a deployment is meant, by its id and what is known of it. */
export function matcher({
  names,
  statuses,
  ids,
  terraform,
}: Wanted): (id: string, known: Properties) => boolean {
  const patterns = names.map(patternOf);
  const isAmong = (id: string, allowed: readonly string[]) => allowed.some((each) => sameId(each, id));
  return (id, { name, status }) =>
    (ids.length === 0 || isAmong(id, ids)) &&
    (terraform === undefined ||
      isAmong(
        id,
        terraform.map((resource) => resource.id),
      )) &&
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(String(name ?? "")))) &&
    (statuses.length === 0 || statuses.some((each) => each === status));
}

/** The whole name: `*` stands for any characters, `?` for one. */
function patternOf(glob: string): RegExp {
  const parts = [...glob].map((sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : sign.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"),
  );
  return new RegExp(`^${parts.join("")}$`, "su");
}
