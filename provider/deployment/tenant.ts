/** Tells a deployment that is gone from a deployment that only another tenant's key or headers can see. */
import type { Call } from "../call";
import type { State } from "../schema/recorded";
import { isUuid } from "../schema/value";

/** Throws a RefusedError if the API key or the headers lead to a tenant that does not own the missing deployment. */
export async function refuseOtherTenant(call: Call, { tenantId }: State): Promise<void> {
  const { connection, directory } = call.service;
  const chosen = Object.entries(connection.headers).flatMap(([name, value]) =>
    name.toLowerCase() === call.profile.tenantHeader ? [value] : [],
  );
  const listed = (await directory.some()).map(({ tenant_id }) => tenant_id);
  const tenants = [...chosen, ...listed].filter((each) => isUuid(String(each)));
  if (!isUuid(String(tenantId)) || tenants.length === 0 || tenants.includes(tenantId)) return;
  throw call.refuse(
    `belongs to tenant ${tenantId}, but the API key or the headers lead to tenant ${tenants[0]}. Set them back, or use another stack for another workspace`,
  );
}
