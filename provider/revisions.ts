/** The revisions of a deployment, as the service lists them. */
import type { Endpoints } from "./client/endpoints";
import type { Directory } from "./directory";
import type { Properties } from "./fields/value";

/** The revision, from as few pages as it takes. */
export async function findRevision(
  endpoints: Endpoints,
  deploymentId: string,
  revisionId: string,
): Promise<Properties | undefined> {
  for await (const page of endpoints.listRevisions(deploymentId)) {
    const found = page.find((revision) => revision.id === revisionId);
    if (found) return found;
  }
  return undefined;
}

/** All revisions, newest first: the contract does not promise an order. */
export async function revisionsOf(endpoints: Endpoints, deploymentId: string): Promise<Properties[]> {
  const revisions: Properties[] = [];
  for await (const page of endpoints.listRevisions(deploymentId)) revisions.push(...page);
  return revisions.sort((a, b) => Date.parse(String(b.created_at)) - Date.parse(String(a.created_at)));
}

/** Undefined while the service has not made one; it then answers null. */
export async function latestOf(directory: Directory, deploymentId: string): Promise<string | undefined> {
  const latest = (await directory.fresh(deploymentId))?.latest_revision_id;
  return typeof latest === "string" ? latest : undefined;
}

/** The latest revision, if it was made after this one: a service may point back to the one that serves. */
export async function newerThan(
  endpoints: Endpoints,
  directory: Directory,
  deploymentId: string,
  revisionId: string,
): Promise<string | undefined> {
  const latest = await latestOf(directory, deploymentId);
  if (latest === undefined || latest === revisionId) return undefined;
  const revisions = await revisionsOf(endpoints, deploymentId);
  const [made, madeLatest] = [revisionId, latest].map((id) =>
    Date.parse(String(revisions.find((revision) => revision.id === id)?.created_at)),
  ) as [number, number];
  return madeLatest < made ? undefined : latest;
}
