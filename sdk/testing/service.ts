/** The service behind the mocks: the embedded service with a test's fixtures and a clock that stands still. */
import { createHash } from "node:crypto";
import { type HttpAnswer, readAnswer } from "../../provider/client/answer";
import type { Connection } from "../../provider/client/connection";
import { type Endpoints, ServiceEndpoints } from "../../provider/client/endpoints";
import type { RequestPlace } from "../../provider/client/errors";
import { type HttpRequest, queryOf, type Transport } from "../../provider/client/http";
import { deploymentAnswerRows, listenerAnswerRows } from "../../provider/client/resources";
import { repositoryRows } from "../../provider/schema/repository";
import { revisionRows } from "../../provider/schema/revision";
import type { Properties } from "../../provider/schema/value";
import { answerToError, contentOf } from "../emulator/http/message";
import {
  deployments,
  newDeployment,
  type StoredDeployment,
} from "../emulator/resources/deployments/storedDeployment";
import type { StoredRevision } from "../emulator/resources/deployments/storedRevision";
import { addListener, listeners, type NewListener } from "../emulator/resources/listeners";
import { addRepositories, type NewRepository } from "../emulator/resources/repositories";
import { addToken, tokens } from "../emulator/resources/tokens";
import { Router } from "../emulator/router";
import { type EmulatedService, type Maker, newService } from "../emulator/service";
import { answerBody, type Given, type GivenDeployment, type GivenListener } from "./fixtures";

/** The creation time of everything in the mock service. */
export const MADE_MS = Date.parse("2026-01-01T00:00:00.000Z");

/** A UUID made from the parts, always the same for the same parts. */
function uuidOf(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Makes the same ids and times in each run, so that snapshots stay the same. */
const fixed: Maker = {
  now: () => MADE_MS,
  later: () => MADE_MS,
  id: uuidOf,
  commit: (revisionId) => createHash("sha1").update(revisionId).digest("hex"),
  address: (id) => `https://${id}.deployment-control.example`,
};

export class MockService {
  readonly endpoints: Endpoints;
  readonly #service: EmulatedService;
  readonly #fixtureIds: ReadonlySet<string>;

  constructor({ baseUrl, profile }: Connection, fixtures: Given) {
    this.#service = newService(
      profile,
      { revisionSeconds: 0, secretsInResponses: "echoed" },
      { makes: fixed },
    );
    this.endpoints = new ServiceEndpoints(new InProcess(this.#service, baseUrl), profile);
    const { deployments: deploymentFixtures = [], listeners = [], repositories = [] } = fixtures;
    this.#fixtureIds = new Set(deploymentFixtures.map(({ id }) => id));
    // The fixtures come newest first, like the service's lists, so the last fixture is stored first.
    for (const each of [...deploymentFixtures].reverse())
      deployments.add(this.#service, storedOf(this.#service, each));
    for (const each of [...listeners].reverse()) addFixture(this.#service, each);
    for (const each of repositories) {
      const repository = answerBody(repositoryRows, each, profile) as unknown as NewRepository;
      addRepositories(this.#service, each.hostIntegrationId, [repository]);
    }
  }

  /** Removes the deployment called `name` if an earlier test created it. */
  forget(name: unknown): void {
    const createdByTests = deployments.all(this.#service).filter(({ id }) => !this.#fixtureIds.has(id));
    for (const each of createdByTests) if (each.name === name) deployments.remove(this.#service, each);
  }

  /** Adds the listener, token or integration that a resource's arguments name. */
  install({ computeType, computeId, tokenId, integrationId }: Properties): void {
    const service = this.#service;
    if (typeof computeId === "string") installListener(service, String(computeType), computeId);
    if (typeof integrationId === "string") addRepositories(service, integrationId, []);
    if (typeof tokenId !== "string") return;
    for (const token of tokens.all(service)) if (token.id === tokenId) tokens.remove(service, token);
    addToken(service, { id: tokenId });
  }
}

function installListener(service: EmulatedService, compute_type: string, compute_id: string): void {
  const isThere = listeners
    .all(service)
    .some((each) => each.compute_type === compute_type && each.compute_id === compute_id);
  if (!isThere) addListener(service, { compute_type, compute_id });
}

/** Adds a listener from a fixture; the listener's compute id defaults to its id. */
function addFixture(service: EmulatedService, fixture: GivenListener): void {
  const body = answerBody(listenerAnswerRows, { computeId: fixture.id, ...fixture }, service.profile);
  Object.assign(addListener(service, body as unknown as NewListener), body);
}

/** A stored deployment from a fixture; omitted fields have the values of a running deployment. */
function storedOf(service: EmulatedService, fixture: GivenDeployment): StoredDeployment {
  const { revisions, secretNames = [], tagValueIds = [], remoteReconciled = null, ...answerFields } = fixture;
  const defaults = { name: fixture.id, source: "external_docker" };
  const body = answerBody(deploymentAnswerRows, { ...defaults, ...answerFields }, service.profile);
  const { status, latest_revision_id, active_revision_id, source_revision_config, ...fields } = body;
  const computed = { status, latest_revision_id, active_revision_id };
  const deployment = newDeployment(service, {
    ...(fields as Partial<StoredDeployment> & { name: string; source: string }),
    secrets: secretNames.map((name) => ({ name, value: "********" })),
    tag_value_ids: tagValueIds,
    remote_reconciled: remoteReconciled,
    overrides: Object.fromEntries(Object.entries(computed).filter(([, value]) => value !== undefined)),
  });
  const bodies = revisions?.map((each) => answerBody(revisionRows, each, service.profile)) ?? [{}];
  const ofAll = { id: fixed.id(deployment.id, "1"), source: deployment.source, source_revision_config };
  deployment.revisions.push(...bodies.map((each) => revisionOf({ ...ofAll, ...each })).reverse());
  return deployment;
}

/** A stored revision that has its final status from the start. */
function revisionOf({ id, source, source_revision_config, status = "DEPLOYED", ...times }: Properties) {
  const { repo_commit_sha = null, ...config } = (source_revision_config ?? {}) as Properties;
  const lifecycle = { createdMs: MADE_MS, startMs: MADE_MS, stepMs: 0, statuses: [status], overrides: times };
  return { id, source, ...lifecycle, source_revision_config: config, repo_commit_sha } as StoredRevision;
}

const atOnce = async (): Promise<void> => {};

/** Calls the embedded service's routes in this process, without HTTP and without waiting. */
class InProcess implements Transport {
  readonly clockAhead = 0;
  readonly isFailing = false;
  readonly #service: EmulatedService;
  readonly #router: Router;
  readonly #baseUrl: string;

  /** `baseUrl`: the address that errors show. */
  constructor(service: EmulatedService, baseUrl: string) {
    this.#service = service;
    this.#router = new Router(service);
    this.#baseUrl = baseUrl;
  }

  placeOf({ operation, method, path }: HttpRequest): RequestPlace {
    return { operation, method, url: this.#baseUrl + path };
  }

  readonly close = atOnce;

  /** Sends a request. Throws a ServiceError, or a RangeError for a deployment that the mocks do not have. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    await request.beforeSending?.();
    this.#refuseStranger(request.path);
    const { method, path, query } = request;
    const incoming = {
      method,
      path,
      query: new URLSearchParams(queryOf(query)),
      key: undefined,
      // The body is copied, because the service stores it.
      body: () => JSON.parse(JSON.stringify(request.body)),
    };
    const answer = await this.#router.answer(incoming, atOnce).catch(answerToError);
    const body = [Buffer.from(contentOf(answer))];
    return readAnswer(this.placeOf(request), { statusCode: answer.status, headers: {}, body }, () => 0);
  }

  #refuseStranger(path: string): void {
    const [, id] = /^\/v2\/deployments\/([^/]+)/.exec(path) ?? [];
    if (id === undefined || deployments.get(this.#service, id) !== undefined) return;
    throw new RangeError(`the mocks have no deployment with the id ${id}; add it to the option deployments`);
  }
}
