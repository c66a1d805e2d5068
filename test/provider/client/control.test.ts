import { BadRequestError, type ControlClient, type ControlClientOptions } from "../../../provider/client";
import { connectionOf } from "../../../provider/client/connection";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";
import { failureOf, json, serving } from "../../support/httpServer";
import { controlClient } from "../../support/runtimeClient";

async function clientOf(
  options: EmulatorOptions = {},
  settings: Partial<ControlClientOptions> = {},
): Promise<{ client: ControlClient; emulator: Emulator }> {
  const emulator = await started(options);
  return { client: controlClient({ baseUrl: `${emulator.url}/`, ...settings }), emulator };
}

const agent = {
  name: "agent",
  source: "repohost",
  sourceConfig: { buildOnPush: true, resourceSpec: { cpu: 2, labels: { teamName: "a_b" } } },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
  secrets: { B: "two-secret", A: "one-secret" },
} as const;

test("a creation sends fields under their wire names, and returns the deployment under the names that programs use", async () => {
  const { client, emulator } = await clientOf({ secretsInResponses: "echoed" });
  const created = await client.createDeployment(agent);
  expect(emulator.requests.map(({ method, path: to, body }) => [method, to, body])).toEqual([
    [
      "POST",
      "/v2/deployments",
      {
        name: "agent",
        source: "repohost",
        source_config: { build_on_push: true, resource_spec: { cpu: 2, labels: { teamName: "a_b" } } },
        source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
        secrets: [
          { name: "A", value: "one-secret" },
          { name: "B", value: "two-secret" },
        ],
      },
    ],
  ]);
  expect(created).toMatchObject({
    id: emulator.deployments()[0]?.id,
    name: "agent",
    status: "READY",
    secrets: agent.secrets,
    sourceRevisionConfig: agent.sourceRevisionConfig,
    sourceConfig: { resourceSpec: { labels: { teamName: "a_b" } } },
    latestRevisionId: expect.any(String),
    repoCommitSha: expect.any(String),
  });
});

test("a creation sends empty sections too, because some services require them", async () => {
  const { client, emulator } = await clientOf();
  await client.createDeployment({ name: "bare", source: "internal_docker" });
  expect(emulator.requests[0]?.body).toEqual({
    name: "bare",
    source: "internal_docker",
    source_config: {},
    source_revision_config: {},
    secrets: [],
  });
});

test.each([
  ["masked", { A: "***", B: "***" }],
  ["hidden", {}],
] as const)("secrets that are %s in the answer are returned unchanged", async (secretsInResponses, shown) => {
  const { client } = await clientOf({ secretsInResponses });
  expect((await client.createDeployment(agent)).secrets).toEqual(shown);
});

test("a client uses a configuration's connection unchanged", async () => {
  const { emulator } = await clientOf({ apiKey: "mine" });
  const { url: baseUrl } = emulator;
  const origin = { name: "eu", prefix: "connections.eu.", howToSet: "" };
  const client = controlClient(connectionOf(origin, { baseUrl, apiKey: "mine", adopt: true }));
  expect(await client.listDeployments()).toEqual([]);
});

test("a client that is used after it was closed opens a new connection", async () => {
  const service = await serving((_, response) => json(response, { resources: [], offset: 0 }));
  const client = controlClient({ baseUrl: service.url, maxConcurrency: 1 });
  await client.listListeners();
  await client.listListeners();
  expect(service.sockets()).toBe(1);
  await client.close();
  await client.listListeners();
  expect(service.sockets()).toBe(2);
});

test.each<[string, (client: ControlClient) => Promise<unknown>]>([
  ["getDeployment", (client) => client.getDeployment("id")],
  ["deleteDeployment", (client) => client.deleteDeployment("id")],
  ["createListener", (client) => client.createListener({ computeType: "k8s", computeId: "one" })],
  ["deleteListener", (client) => client.deleteListener("id")],
])("%s is refused before anything is sent if the profile has no such call", async (call, use) => {
  const { client, emulator } = await clientOf({}, { maxRetries: 0 });
  const error = await failureOf(use(client));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error.message).toContain(`${call}: the service of profile "contract" has no such call`);
  expect(emulator.requests).toEqual([]);
});

test("fields that only langsmith has are checked only under langsmith", async () => {
  const entry = { id: "one", name: "a", is_preview: "yes", agent: 7 };
  const { url } = await serving((_, response) => json(response, { resources: [entry], offset: 1 }));
  const contract = controlClient({ baseUrl: url });
  expect(await contract.listDeployments({ limit: 1 })).toEqual([{ id: "one", name: "a" }]);
  const langsmith = controlClient({ baseUrl: url, profile: "langsmith" });
  expect((await failureOf(Array.fromAsync(langsmith.listDeployments()))).message).toContain(
    "whose agent is not an object",
  );
});
