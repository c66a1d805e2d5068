import * as pulumi from "@pulumi/pulumi";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator";
import {
  getDeployments,
  getDeploymentsOutput,
  getIntegrations,
  getIntegrationsOutput,
  getListeners,
  getRepositories,
  getRevisions,
} from "../../../sdk/index";
import { started } from "../../support/embeddedService";
import { serving } from "../../support/httpServer";

const INTEGRATION = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const KEY = "key-of-the-program";

afterEach(() => pulumi.runtime.setAllConfig({}));

function configure(settings: { [key: string]: string }, secret: readonly string[] = []): void {
  const named = Object.entries(settings).map(([key, value]) => [`deployment-control:${key}`, value]);
  pulumi.runtime.setAllConfig(
    Object.fromEntries(named),
    secret.map((key) => `deployment-control:${key}`),
  );
}

async function configured(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await started({ apiKey: KEY, ...options });
  const profile = options.profile ?? "contract";
  configure({ baseUrl: emulator.url, apiKey: KEY, maxRetries: "0", profile }, ["apiKey"]);
  return emulator;
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  // The message replaces the stack trace. Otherwise, the SDK would render the stack trace, which takes Node ten
  // seconds.
  expect((error as Error).stack).toBe((error as Error).message);
  return (error as Error).message;
}

test("a look-up sends each filter under the profile's name for the filter, and sends the configured API key", async () => {
  const emulator = await configured();
  const [id = ""] = emulator.seed(2);
  await getDeployments({
    name: "seed-0001",
    status: "READY",
    remoteReconciled: true,
    tagValueIds: ["a", "b"],
    imageVersion: "1.2",
    deploymentType: "prod",
    deploymentIds: [id],
    offset: 0,
    limit: 3,
  });
  expect(emulator.requests[0]?.query).toEqual({
    limit: "100",
    offset: "0",
    name: "seed-0001",
    status: "READY",
    remote_reconciled: "true",
    tag_value_ids: "a,b",
    image_version: "1.2",
    deployment_type: "prod",
    deployment_ids: id,
  });
  expect(emulator.requests[0]?.headers["x-api-key"]).toBe(KEY);
  emulator.requests.length = 0;
  await getRevisions({ deploymentId: id, statuses: ["DEPLOYED", "BUILDING"], remoteReconciled: false });
  expect(emulator.requests[0]?.query).toEqual({
    limit: "100",
    offset: "0",
    status: "DEPLOYED,BUILDING",
    remote_reconciled: "false",
  });
  emulator.requests.length = 0;
  await getListeners({ offset: 2, limit: 7 });
  expect(emulator.requests[0]?.query).toEqual({ limit: "7", offset: "2" });
});

test("a look-up shows the name of a secret, never its value", async () => {
  const emulator = await configured({ secretsInResponses: "echoed" });
  const [id = ""] = emulator.seed(1);
  const secrets = [{ name: "TOKEN", value: "value-of-the-secret" }];
  await fetch(`${emulator.url}/v2/deployments/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json", "x-api-key": KEY },
    body: JSON.stringify({ secrets }),
  });
  const [deployment] = await getDeployments();
  expect(deployment).toMatchObject({ id, name: "seed-0001", secretNames: ["TOKEN"] });
  expect(JSON.stringify(deployment)).not.toContain("value-of-the-secret");
});

test("the output of a look-up is secret if one of its arguments is secret", async () => {
  await configured();
  expect(await pulumi.isSecret(getDeploymentsOutput({ name: pulumi.secret("one") }))).toBe(true);
  expect(await pulumi.isSecret(getDeploymentsOutput({ name: "one" }))).toBe(false);
});

test.each<[string, () => Promise<unknown>, string]>([
  ["limit 0", () => getDeployments({ limit: 0 }), "getDeployments: limit: got 0; allowed: an integer of at"],
  ["a page size", () => getDeployments({ pageSize: 5 } as never), "pageSize: is not an argument; set limit"],
  [
    "no deployment",
    () => getRevisions({} as never),
    "getRevisions: deploymentId: is missing; allowed: a UUID",
  ],
  ["a bad id", () => getRepositories({ integrationId: "../x" }), 'integrationId: got "../x" (a string)'],
  ["an unknown connection", () => getListeners({ connection: "far" }), 'connection: got "far"; none'],
])("a look-up with %s sends no request, and the error names the look-up", async (_, ask, words) => {
  const emulator = await configured();
  expect(await refusalOf(ask())).toContain(words);
  expect(emulator.requests).toHaveLength(0);
});

test("the error about a refusal by the service does not show the key, even if the service repeats the key", async () => {
  const { url } = await serving((_, response) => {
    response.statusCode = 403;
    response.end(JSON.stringify({ detail: `the key ${KEY} may not` }));
  });
  configure({ baseUrl: url, apiKey: KEY, maxRetries: "0" }, ["apiKey"]);
  const words = await refusalOf(getDeployments());
  expect(words).toContain("getDeployments: list deployments: GET ");
  expect(words).toContain("answered 403: the key [secret] may not");
});

test("a look-up refuses an entry that breaks the contract, but accepts an unknown status", async () => {
  const entry = { id: INTEGRATION, status: "PAUSED", source: "repohost" };
  let answer: object = { resources: [entry], offset: 1 };
  const { url } = await serving((request, response) => {
    const isFirst = request.url.includes("offset=0") || request.url.endsWith("/repos");
    response.end(JSON.stringify(isFirst ? answer : { resources: [], offset: 1 }));
  });
  configure({ baseUrl: url });
  const revisions = await getRevisions({ deploymentId: INTEGRATION });
  expect(revisions.map(({ status }) => status)).toEqual(["PAUSED"]);
  answer = [{ host_integration_id: INTEGRATION, id: 1, name: "a", owner: "b", default_branch: "main" }];
  expect(await refusalOf(getRepositories({ integrationId: INTEGRATION }))).toContain(
    'an entry (owner "b", name "a") that does not match the contract: url: is missing',
  );
  answer = { resources: [{ ...entry, source_revision_config: "main" }], offset: 1 };
  expect(await refusalOf(getRevisions({ deploymentId: INTEGRATION }))).toContain(
    `answered 200 with an entry (id ${entry.id}) whose source_revision_config is not an object`,
  );
});

test("like resources, look-ups refuse a missing address or a key that is not secret, and read environment variables", async () => {
  configure({});
  expect(await refusalOf(getListeners())).toContain("configuration deployment-control: baseUrl is not set");
  configure({ baseUrl: "http://127.0.0.1:1", apiKey: KEY });
  expect(await refusalOf(getListeners())).toContain(
    "configuration deployment-control:apiKey holds a key but",
  );
  const emulator = await started();
  process.env.DEPLOYMENT_CONTROL_BASE_URL = emulator.url;
  try {
    configure({ baseUrl: "http://127.0.0.1:1" });
    expect(await getListeners()).toEqual([]);
  } finally {
    delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
  }
  expect(emulator.requests).toHaveLength(1);
});

test("under langsmith, a look-up lists integrations with one request; under contract, the error says why the look-up is refused", async () => {
  const emulator = await configured({ profile: "langsmith" });
  emulator.addRepositories(INTEGRATION, [{ owner: "acme", name: "agent" }]);
  const integrations = [{ id: INTEGRATION, name: "acme", installationId: 1 }];
  expect(await getIntegrations()).toEqual(integrations);
  const output = getIntegrationsOutput();
  expect(await new Promise((resolve) => output.apply(resolve))).toEqual(integrations);
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill("GET /v1/integrations/github/install"),
  );
  expect(await refusalOf(getIntegrations({ limit: 1 } as never))).toContain(
    "limit: is not a filter of integrations",
  );
  const contract = await configured();
  expect(await refusalOf(getIntegrations())).toContain(
    'getIntegrations: the service of profile "contract" has no call that lists its integrations',
  );
  expect(contract.requests).toEqual([]);
});

test("revisions are found by their ids, whatever their statuses, and a limit counts only the revisions with these ids", async () => {
  const emulator = await configured();
  const [deploymentId = ""] = emulator.seed(1);
  const ids = Array.from({ length: 4 }, () => emulator.push(deploymentId).id);
  const [first = "", second = "", third = ""] = ids;
  const idsOf = async (args: object) => (await getRevisions({ deploymentId, ...args })).map(({ id }) => id);
  expect(await idsOf({ ids: [first.toUpperCase(), third] })).toEqual([third, first]);
  expect(await idsOf({ ids: [first, second], limit: 1 })).toEqual([second]);
  expect(await idsOf({ ids: [INTEGRATION] })).toEqual([]);
  expect(emulator.requests.every(({ query }) => query.limit === "100" && !("ids" in query))).toBe(true);
});

test("only under langsmith, look-ups show whether a deployment is a preview, and which agent the deployment has", async () => {
  const emulator = await configured({ profile: "langsmith", previews: 1 });
  const [id = ""] = emulator.seed(1);
  emulator.change(id, { agent: { agent_id: "a-1", environment: "staging" } });
  expect(await getDeployments()).toMatchObject([
    { id, isPreview: false, agent: { agentId: "a-1", environment: "staging" } },
    { name: "preview-0001", isPreview: true },
  ]);
  const contract = await configured();
  contract.seed(1, true);
  const [deployment] = await getDeployments();
  expect(Object.keys(deployment ?? {})).not.toContain("isPreview");
});

test("under langsmith, a name is sent both as name_contains and as name, so that a newer service returns fewer entries", async () => {
  const emulator = await configured({ profile: "langsmith" });
  emulator.seed(12);
  expect(await getDeployments({ name: "seed-0001" })).toHaveLength(1);
  expect(emulator.requests[0]?.query).toMatchObject({ name_contains: "seed-0001", name: "seed-0001" });
});
