/** Stands for the service: the embedded service with what the mocks were given. No time passes in it. */
import { createHash } from "node:crypto";
import type { Connection } from "../../provider/client/connection";
import { type Endpoints, ServiceEndpoints } from "../../provider/client/endpoints";
import { deploymentAnswerRows, listenerAnswerRows } from "../../provider/client/resources";
import { repositoryRows } from "../../provider/fields/repository";
import { revisionRows } from "../../provider/fields/revision";
import type { Properties } from "../../provider/fields/value";
import {
  deployments,
  newDeployment,
  type StoredDeployment,
} from "../emulator/resources/deployments/storedDeployment";
import type { StoredRevision } from "../emulator/resources/deployments/storedRevision";
import { addListener, listeners, type NewListener } from "../emulator/resources/listeners";
import { addRepositories, type NewRepository } from "../emulator/resources/repositories";
import { addToken, tokens } from "../emulator/resources/tokens";
import { type Maker, newService, type Service } from "../emulator/service";
import { answered, type Given, type GivenDeployment, type GivenListener } from "./given";
import { InProcess } from "./inProcess";

/** When all of it was made. */
export const MADE_MS = Date.parse("2026-01-01T00:00:00.000Z");

/** A UUID that is always the same for the same words. */
function uuidOf(...words: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(words)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** All is made at one time and always alike, so that snapshots stay. */
const same: Maker = {
  now: () => MADE_MS,
  later: () => MADE_MS,
  id: uuidOf,
  commit: (revisionId) => createHash("sha1").update(revisionId).digest("hex"),
  address: (id) => `https://${id}.deployment-control.example`,
};

export class GivenService {
  readonly endpoints: Endpoints;
  readonly #service: Service;
  readonly #given: ReadonlySet<string>;

  constructor({ baseUrl, profile }: Connection, given: Given) {
    this.#service = newService(
      profile,
      { revisionSeconds: 0, secretsInResponses: "echoed" },
      { makes: same },
    );
    this.endpoints = new ServiceEndpoints(new InProcess(this.#service, baseUrl), profile);
    const { deployments: existing = [], listeners = [], repositories = [] } = given;
    this.#given = new Set(existing.map(({ id }) => id));
    // Lists are newest first, and so is what is given.
    for (const each of [...existing].reverse()) deployments.add(this.#service, storedOf(this.#service, each));
    for (const each of [...listeners].reverse()) addGiven(this.#service, each);
    for (const each of repositories) {
      const repository = answered(repositoryRows, each, profile) as unknown as NewRepository;
      addRepositories(this.#service, each.hostIntegrationId, [repository]);
    }
  }

  /** Forgets what an earlier test has made under this name. */
  forget(name: unknown): void {
    const made = deployments.all(this.#service).filter(({ id }) => !this.#given.has(id));
    for (const each of made) if (each.name === name) deployments.remove(this.#service, each);
  }

  /** Has the listener, the token or the integration of these arguments from now on: whatever a program names is there. */
  install({ computeType, computeId, tokenId, integrationId }: Properties): void {
    const service = this.#service;
    if (typeof computeId === "string") installListener(service, String(computeType), computeId);
    if (typeof integrationId === "string") addRepositories(service, integrationId, []);
    if (typeof tokenId !== "string") return;
    for (const token of tokens.all(service)) if (token.id === tokenId) tokens.remove(service, token);
    addToken(service, { id: tokenId });
  }
}

function installListener(service: Service, compute_type: string, compute_id: string): void {
  const isThere = listeners
    .all(service)
    .some((each) => each.compute_type === compute_type && each.compute_id === compute_id);
  if (!isThere) addListener(service, { compute_type, compute_id });
}

/** Every listener has an id of its infrastructure. */
function addGiven(service: Service, given: GivenListener): void {
  const body = answered(listenerAnswerRows, { computeId: given.id, ...given }, service.profile);
  Object.assign(addListener(service, body as unknown as NewListener), body);
}

/** A deployment as the program gave it to the mocks, with what one that runs has besides. */
function storedOf(service: Service, given: GivenDeployment): StoredDeployment {
  const { revisions, secretNames = [], tagValueIds = [], remoteReconciled = null, ...shown } = given;
  const defaults = { name: given.id, source: "external_docker" };
  const body = answered(deploymentAnswerRows, { ...defaults, ...shown }, service.profile);
  const { status, latest_revision_id, active_revision_id, source_revision_config, ...fields } = body;
  const computed = { status, latest_revision_id, active_revision_id };
  const stored = newDeployment(service, {
    ...(fields as Partial<StoredDeployment> & { name: string; source: string }),
    secrets: secretNames.map((name) => ({ name, value: "********" })),
    tag_value_ids: tagValueIds,
    remote_reconciled: remoteReconciled,
    overrides: Object.fromEntries(Object.entries(computed).filter(([, value]) => value !== undefined)),
  });
  const bodies = revisions?.map((each) => answered(revisionRows, each, service.profile)) ?? [{}];
  const ofAll = { id: same.id(stored.id, "1"), source: stored.source, source_revision_config };
  stored.revisions.push(...bodies.map((each) => revisionOf({ ...ofAll, ...each })).reverse());
  return stored;
}

/** A revision that has come as far as it ever will. */
function revisionOf({ id, source, source_revision_config, status = "DEPLOYED", ...times }: Properties) {
  const { repo_commit_sha = null, ...config } = (source_revision_config ?? {}) as Properties;
  const made = { createdMs: MADE_MS, startMs: MADE_MS, stepMs: 0, statuses: [status], overrides: times };
  return { id, source, ...made, source_revision_config: config, repo_commit_sha } as StoredRevision;
}
