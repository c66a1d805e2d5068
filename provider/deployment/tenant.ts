/** Tells a deployment that is gone from a deployment that only another tenant's key or headers can see. */
import type { Call } from "../call";
import type { Connection } from "../client/connection";
import type { State } from "../schema/recorded";
import { canonicalId, isUuid, type Properties } from "../schema/value";

/**
 * The tenant to which the headers or the API key lead, unless it is the state's tenant. `deployments`: some deployments
 * of the account. Undefined if nothing shows that the tenants differ.
 */
export function otherTenant(
  { tenantId }: State,
  { headers, profile }: Pick<Connection, "headers" | "profile">,
  deployments: readonly Properties[],
): string | undefined {
  const headerTenants = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === profile.tenantHeader ? [value] : [],
  );
  const listedTenants = deployments.map(({ tenant_id }) => tenant_id);
  const tenants = [...headerTenants, ...listedTenants].map(String).filter(isUuid).map(canonicalId);
  const owner = String(tenantId);
  return isUuid(owner) && !tenants.includes(canonicalId(owner)) ? tenants[0] : undefined;
}

/** Throws a RefusedError if the missing deployment belongs to a tenant other than the connection's. */
export async function refuseOtherTenant(call: Call, state: State): Promise<void> {
  const { connection, directory } = call.service;
  const other = otherTenant(state, connection, await directory.some());
  if (other !== undefined) throw call.refuse(otherTenantWords(state, other));
}

export const otherTenantWords = ({ tenantId }: State, other: string): string =>
  `belongs to tenant ${tenantId}, but the API key or the headers lead to tenant ${other}. Set them back or, if the deployment was deleted, run \`pulumi state delete\``;
