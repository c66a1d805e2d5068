/** Selects deployments of an account. */
import type { DEPLOYMENT_STATUSES } from "../../../provider/schema/deployment";
import type { State } from "../../../provider/schema/recorded";
import type { AccountSnapshot } from "./account";
import type { TerraformResource } from "./terraform";

export interface Criteria {
  /** Patterns for the deployment's name, with `*` and `?`. An empty list allows any name. */
  readonly names: readonly string[];
  readonly statuses: readonly (typeof DEPLOYMENT_STATUSES)[number][];
  readonly ids: readonly string[];
  /** Resources that Terraform manages; undefined to ignore Terraform. */
  readonly terraform: readonly TerraformResource[] | undefined;
}

export const isEverything = ({ names, statuses, ids, terraform }: Criteria): boolean =>
  [names, statuses, ids].every((each) => each.length === 0) && terraform === undefined;

export type Selection = ReturnType<typeof selectionOf>;

/**
 * Selects deployments. `previews` counts the matching preview deployments, which are left out. `isWhole` says whether
 * the criteria allow everything. Throws an Error if the account lacks a requested id, or if no deployment matches.
 */
export function selectionOf(account: AccountSnapshot, criteria: Criteria) {
  const { baseUrl } = account.connection;
  const unknownIds = criteria.ids.filter((id) => !account.deployments.some((live) => sameId(live.id, id)));
  const note = account.previews.length === 0 ? "" : "; previews are not adopted";
  if (unknownIds.length > 0)
    throw new Error(`--id: ${baseUrl} has no deployment with the id ${unknownIds.join(", ")}${note}`);
  const matches = matcher(criteria);
  const deployments = account.deployments.filter(({ id, values }) => matches(id, values));
  const previews = account.previews.filter(({ id, values }) => matches(id, values)).length;
  if (deployments.length === 0)
    throw new Error(`${baseUrl}: none of its ${account.deployments.length} deployments matches${note}`);
  const terraform = new Map(criteria.terraform?.map((resource) => [resource.id, resource]));
  return { deployments, previews, isWhole: isEverything(criteria), terraform };
}

const sameId = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

/** Returns a function that says whether a deployment's id and state meet the criteria. */
export function matcher(criteria: Criteria): (id: string, state: State) => boolean {
  const { names, statuses, ids, terraform } = criteria;
  const patterns = names.map(patternOf);
  const terraformIds = terraform?.map((resource) => resource.id);
  const isAmong = (id: string, candidates: readonly string[]) => candidates.some((each) => sameId(each, id));
  return (id, { name, status }) =>
    (ids.length === 0 || isAmong(id, ids)) &&
    (terraformIds === undefined || isAmong(id, terraformIds)) &&
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(String(name ?? "")))) &&
    (statuses.length === 0 || statuses.some((each) => each === status));
}

/** Matches the whole name: `*` stands for any number of characters, and `?` stands for one character. */
function patternOf(glob: string): RegExp {
  const parts = [...glob].map((sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : sign.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"),
  );
  return new RegExp(`^${parts.join("")}$`, "su");
}
