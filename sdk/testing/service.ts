/** Stands for the service: it answers what the mocks were given and what the program has declared, and no request is sent. */
import { createHash } from "node:crypto";
import type { Connection } from "../../provider/client/connection";
import { type Answered, Endpoints, type PageRange, type Query } from "../../provider/client/endpoints";
import { deploymentAnswerRows, listenerAnswerRows } from "../../provider/client/resources";
import { deploymentFilterRows, type FilterRows, revisionFilterRows } from "../../provider/fields/filters";
import { repositoryRows } from "../../provider/fields/repository";
import { revisionRows } from "../../provider/fields/revision";
import { isProperties, type Properties, valueAt } from "../../provider/fields/value";
import { rowsFromWire } from "../../provider/fields/wire";
import type { Profile } from "../../provider/profiles/profile";
import { answered, type Given, type GivenDeployment, type GivenListener } from "./given";

/** When all of it was made: always the same, so that snapshots stay. */
export const MADE_AT = "2026-01-01T00:00:00.000Z";

const MADE = { created_at: MADE_AT, updated_at: MADE_AT };

/** A UUID that is always the same for the same words. */
function uuidOf(...words: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(words)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

interface Stored {
  /** As it is answered. */
  readonly body: Properties;
  /** Newest first. */
  readonly revisions: readonly Properties[];
  /** By which lists are filtered though no answer shows it. */
  readonly hidden: Properties;
  /** Whether the program has made it. */
  readonly isMade: boolean;
}

/** Every listener has a kind of infrastructure and an id of it. */
function listenerOf(given: GivenListener, profile: Profile): Properties {
  const whole = { computeType: "k8s", computeId: given.id, ...given };
  return { ...MADE, ...answered(listenerAnswerRows, whole, profile) };
}

export class GivenService extends Endpoints {
  readonly #profile: Profile;
  readonly #deployments = new Map<string, Stored>();
  readonly #listeners = new Map<string, Properties>();
  readonly #repositories: readonly Properties[];

  constructor(connection: Connection, { deployments = [], listeners = [], repositories = [] }: Given) {
    super(connection, connection.profile);
    this.#profile = connection.profile;
    for (const given of deployments) this.#deployments.set(given.id, storedOf(given, this.#profile));
    for (const given of listeners) this.#listeners.set(given.id, listenerOf(given, this.#profile));
    this.#repositories = repositories.map((given) => answered(repositoryRows, given, this.#profile));
  }

  /** Forgets what an earlier test has made under this name. */
  forget(name: unknown): void {
    for (const [id, { body, isMade }] of this.#deployments)
      if (isMade && body.name === name) this.#deployments.delete(id);
  }

  /** Has the listener from now on: whatever a program declares has been installed. */
  install({ computeType, computeId }: Properties): void {
    const isThere = [...this.#listeners.values()].some(
      (each) => each.compute_type === computeType && each.compute_id === computeId,
    );
    if (isThere) return;
    const id = uuidOf("listener", String(computeType), String(computeId));
    const body = { id, compute_type: computeType, compute_id: computeId, compute_config: {}, ...MADE };
    this.#listeners.set(id, body);
  }

  override async createDeployment(body: Properties): Promise<Answered> {
    const id = uuidOf("deployment", String(body.name));
    const computed = { id, tenant_id: uuidOf("tenant"), status: "READY", ...MADE };
    const resource = withRevision({ ...body, source_config: withAddress(id, body), ...computed }, 1);
    const revisions = [revisionOf(resource)];
    this.#deployments.set(id, { body: resource, revisions, hidden: {}, isMade: true });
    return answer(resource);
  }

  override async updateDeployment(id: string, body: Properties): Promise<Answered> {
    const { revisions, ...stored } = this.#known(id);
    const merged = mergedSections(stored.body, body);
    const makesRevision = ["revision_source", "source_revision_config"].some((name) => name in body);
    const resource = makesRevision ? withRevision(merged, revisions.length + 1) : merged;
    const all = makesRevision ? [revisionOf(resource), ...revisions] : revisions;
    this.#deployments.set(id, { ...stored, body: resource, revisions: all });
    return answer(resource);
  }

  override async getDeployment(id: string): Promise<Answered> {
    return answer(this.#known(id).body);
  }

  override async *listDeployments(query: Query = {}, { offset = 0 }: PageRange = {}) {
    const parameters = this.#profile.query.deployments;
    const shown = ({ body, hidden }: Stored): Properties => ({
      ...rowsFromWire(deploymentAnswerRows, body, this.#profile),
      ...hidden,
    });
    const wanted = [...this.#deployments.values()].filter((stored) =>
      meets(shown(stored), query, deploymentFilterRows, parameters),
    );
    yield wanted.slice(offset).map(({ body }) => body);
  }

  override async *listRevisions(id: string, query: Query = {}, { offset = 0 }: PageRange = {}) {
    const { revisions, hidden } = this.#known(id);
    const shown = (body: Properties) => ({ ...rowsFromWire(revisionRows, body, this.#profile), ...hidden });
    const parameters = this.#profile.query.revisions;
    yield revisions.filter((body) => meets(shown(body), query, revisionFilterRows, parameters)).slice(offset);
  }

  override async *listListeners({ offset = 0 }: PageRange = {}) {
    yield [...this.#listeners.values()].slice(offset);
  }

  override async updateListener(id: string, body: Properties): Promise<Answered> {
    const resource = mergedSections(this.#listeners.get(id) ?? { id }, body);
    this.#listeners.set(id, resource);
    return answer(resource);
  }

  override async listRepositories(integrationId: string): Promise<readonly Properties[]> {
    return this.#repositories.filter((each) => each.host_integration_id === integrationId);
  }

  override async updateTokenMetadata(tokenId: string, body: Properties): Promise<Answered> {
    return answer({ provider_id: "repohost", scopes: [], ...body, id: tokenId, ...MADE });
  }

  /** Throws a RangeError for an id of which the mocks know nothing. */
  #known(id: string): Stored {
    const stored = this.#deployments.get(id);
    if (stored !== undefined) return stored;
    throw new RangeError(`the mocks have no deployment with the id ${id}; give it to them as deployments`);
  }
}

const answer = (resource: Properties): Answered => ({ resource, serviceTime: undefined });

/** A deployment as the program gave it to the mocks, with what one that runs has besides. */
function storedOf(given: GivenDeployment, profile: Profile): Stored {
  const { revisions, secretNames = [], tagValueIds, remoteReconciled, ...shown } = given;
  const latest = revisions === undefined ? uuidOf(given.id, "1") : (revisions[0]?.id ?? null);
  const defaults = {
    name: given.id,
    source: "external_docker",
    tenant_id: uuidOf("tenant"),
    status: "READY",
    latest_revision_id: latest,
    active_revision_id: revisions?.find(({ status = "DEPLOYED" }) => status === "DEPLOYED")?.id ?? latest,
    ...MADE,
    secrets: secretNames.map((name) => ({ name, value: "********" })),
  };
  const body = { ...defaults, ...answered(deploymentAnswerRows, shown, profile) };
  const own = revisions?.map((each) => ({ ...revisionOf(body), ...answered(revisionRows, each, profile) }));
  const hidden = { tagValueIds, remoteReconciled };
  return { body, revisions: own ?? [revisionOf(body)], hidden, isMade: false };
}

/** What is built from a repository has an address of the service unless the program gives one. */
function withAddress(id: string, { source, source_config: config }: Properties): Properties {
  const own = source === "repohost" ? { custom_url: `https://${id}.deployment-control.example` } : {};
  return { ...own, ...(isProperties(config) ? config : {}) };
}

/** The deployment with a revision that runs already, the first, second and so on. */
function withRevision(body: Properties, count: number): Properties {
  const revision = uuidOf(String(body.id), String(count));
  const sections = isProperties(body.source_revision_config) ? body.source_revision_config : {};
  const isBuilt = (body.revision_source ?? body.source) === "repohost";
  const commit = isBuilt ? createHash("sha1").update(revision).digest("hex") : null;
  return {
    ...body,
    source_revision_config: { ...sections, repo_commit_sha: commit },
    latest_revision_id: revision,
    active_revision_id: revision,
  };
}

/** The newest revision of a deployment that runs it. */
function revisionOf({ latest_revision_id, source, source_revision_config }: Properties): Properties {
  return { id: latest_revision_id, status: "DEPLOYED", source, source_revision_config, ...MADE };
}

/** Sections are merged, all else is replaced. */
function mergedSections(body: Properties, change: Properties): Properties {
  const merged = Object.entries(change).map(([name, value]) => {
    const before = body[name];
    return [name, isProperties(before) && isProperties(value) ? { ...before, ...value } : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}

/** Whether an entry, in the program's names, meets every filter of the query. */
function meets(
  entry: Properties,
  query: Query,
  rows: FilterRows,
  parameters: { readonly [filter: string]: string },
): boolean {
  return Object.entries(rows).every(([name, { field, kind }]) => {
    const value = query[parameters[name] as string];
    if (value === undefined) return true;
    const wanted = kind.type === "list" ? String(value).split(",") : [String(value)];
    const has = [valueAt(entry, (field ?? name).split("."))].flat().map(String);
    return wanted.some((each) => has.includes(each));
  });
}
