/** Selects deployments of an account. */
import type { DEPLOYMENT_STATUSES } from "../../../provider/schema/deployment";
import type { State } from "../../../provider/schema/recorded";
import type { AccountEntry, AccountSnapshot } from "./account";

export interface Criteria {
  /** Patterns for the deployment's name, with `*` and `?`; an empty list allows any name. */
  readonly names: readonly string[];
  readonly statuses: readonly (typeof DEPLOYMENT_STATUSES)[number][];
  readonly ids: readonly string[];
}

export const isEverything = ({ names, statuses, ids }: Criteria): boolean =>
  [names, statuses, ids].every((each) => each.length === 0);

export interface Selection {
  readonly deployments: readonly AccountEntry[];
  /** Whether the selection includes every deployment of the account. */
  readonly isWhole: boolean;
}

/** Selects deployments. Throws an Error if the account lacks one of the ids, or if no deployment is selected. */
export function selectionOf(account: AccountSnapshot, criteria: Criteria): Selection {
  const { connection } = account;
  const unknownIds = criteria.ids.filter((id) => !account.deployments.some((live) => sameId(live.id, id)));
  if (unknownIds.length > 0)
    throw new Error(`--id: ${connection.baseUrl} has no deployment with the id ${unknownIds.join(", ")}`);
  const matches = matcher(criteria);
  const deployments = account.deployments.filter(({ id, values }) => matches(id, values));
  if (deployments.length === 0)
    throw new Error(`${connection.baseUrl}: none of its ${account.deployments.length} deployments matches`);
  return { deployments, isWhole: isEverything(criteria) };
}

const sameId = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

/** Returns a function that says whether a deployment's id and state meet the criteria. */
export function matcher({ names, statuses, ids }: Criteria): (id: string, state: State) => boolean {
  const patterns = names.map(patternOf);
  return (id, { name, status }) =>
    (ids.length === 0 || ids.some((each) => sameId(each, id))) &&
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(String(name ?? "")))) &&
    (statuses.length === 0 || statuses.some((each) => each === status));
}

/** The pattern as a regular expression for the whole name: `*` stands for any number of characters, `?` for one. */
function patternOf(glob: string): RegExp {
  const parts = [...glob].map((sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : sign.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"),
  );
  return new RegExp(`^${parts.join("")}$`, "su");
}
