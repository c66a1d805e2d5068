/**
 * Compares the profile `langsmith` with the recorded OpenAPI document of the public service. Requests of the client and
 * the provider, and answers of the embedded service, must match the document and have no other fields.
 */

import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { tokenMetadataRows } from "../../provider/schema/tokenMetadata";
import type { Properties } from "../../provider/schema/value";
import { wholeOf } from "../endpoints/breaches";
import { argumentsFor, document, judged, KEY, SOURCES, service, TOKEN } from "../endpoints/publicService";
import { sampleOfRows, UUID } from "../endpoints/samples";
import { CONTROL } from "../endpoints/table";
import { URN } from "../support/providerRun";
import {
  createDeployment,
  destroyDeployment,
  readDeployment,
  updateDeployment,
} from "../support/resourceCalls";

test("for every source, the requests and answers of a declared deployment match the document", async () => {
  const { session, ...between } = await service();
  for (const source of SOURCES) {
    const { sourceConfig, ...others } = argumentsFor(source);
    const inputs = { __urn: URN, ...others, sourceConfig, revisionGeneration: 1 };
    const first = session();
    const { id, outputs } = await createDeployment(first, inputs);
    const next = { ...inputs, secrets: { text: "another" }, sourceConfig: changed(sourceConfig) };
    const updated = await updateDeployment(first, id, outputs, next);
    const { outputs: read = {} } = await readDeployment(first, id, updated);
    // A second run deletes the deployment, because a run does not delete a deployment that it created itself.
    await destroyDeployment(session(), id, read);
  }
  const met = judged(between);
  expect(met).toContain("POST /v2/deployments/{deployment_id}/revisions");
  expect(met).toContain("DELETE /v2/deployments/{deployment_id}");
});

test("for every call of the client and every filter, the request and the answer match the document", async () => {
  const { client, ...between } = await service();
  const deployments = [];
  for (const source of SOURCES)
    deployments.push(await client.createDeployment(argumentsFor(source) as never));
  const [{ id } = { id: "" }] = deployments;
  await client.updateDeployment(id, {
    sourceRevisionConfig: { repoRef: "next" },
    revisionSource: "repohost",
  });
  await client.updateDeployment(id, { sourceConfig: { buildOnPush: true }, secrets: { A: "b" } });
  await client.updateDeployment(id, { sourceConfig: null, sourceRevisionConfig: null } as never);
  await client.listDeployments({
    name: "from",
    status: "READY",
    remoteReconciled: true,
    tagValueIds: [UUID],
    imageVersion: "1",
    deploymentType: "dev",
    deploymentIds: [id],
    offset: 0,
    limit: 10,
  });
  await client.listDeployments({ pageSize: 1 });
  await client.getDeployment(id);
  await client.listRevisions(id, { statuses: ["DEPLOYED", "BUILDING"], remoteReconciled: false, limit: 1 });
  const config = { k8sNamespaces: ["agents"] };
  const listener = await client.createListener({
    computeType: "k8s",
    computeId: "c",
    computeConfig: config,
    version: "1",
  });
  await client.listListeners({ offset: 0 });
  await client.updateListener(listener.id, { computeConfig: config, version: "2" });
  await client.deleteListener(listener.id);
  await client.listRepositories(UUID);
  await client.listIntegrations();
  await client.updateTokenMetadata(TOKEN, sampleOfRows(tokenMetadataRows) as never);
  await client.deleteDeployment(id);
  const met = judged(between);
  const beyondTheClient = [
    "GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
    "POST /v2/deployments/{deployment_id}/revisions",
    "GET /v2/listeners/{listener_id}",
    "POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs",
    "POST /v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs",
  ];
  expect([...met].sort()).toEqual(CONTROL.langsmith.filter((each) => !beyondTheClient.includes(each)).sort());
  const parameters = between.exchanges.flatMap(({ url }) => [
    ...new URL(url, "http://s").searchParams.keys(),
  ]);
  const { query } = PROFILES.langsmith as Profile;
  const lists = [query.deployments, query.revisions];
  const filters = [...lists.flatMap((list) => Object.values(list).flat()), "limit", "offset"];
  expect([...new Set(parameters)].sort()).toEqual([...new Set(filters)].sort());
});

test("the embedded service's answers match the document, including the answers to refused requests", async () => {
  const between = await service();
  const { client, emulator } = between;
  const [one] = emulator.seed(1) as [string];
  const revision = emulator.deployments().find(({ id }) => id === one)?.latest_revision_id;
  const { id: listenerId } = emulator.addListener({ compute_id: "c" });
  const listener = { compute_type: "k8s", compute_id: "c", compute_config: {} };
  await client.createDeployment(argumentsFor("repohost") as never);
  const built = emulator.deployments().find(({ name }) => name === "from-repohost")?.id;
  for (const [method, path, body] of [
    ["GET", `/v2/deployments/${one}/revisions/${revision}`],
    ["GET", `/v2/listeners/${listenerId}`],
    ["GET", `/v1/integrations/forge/github/${UUID}/repos`],
    ["GET", "/v2/auth/tokens?provider_id=github"],
    ["GET", `/v2/deployments/${UUID}`],
    ["PATCH", `/v2/deployments/${UUID}`, {}],
    ["PATCH", `/v2/deployments/${built}`, { source_config: { deployment_type: "prod" } }],
    ["DELETE", `/v2/deployments/${UUID}`],
    ["GET", `/v2/deployments/${UUID}/revisions`],
    ["GET", `/v2/deployments/${one}/revisions/${UUID}`],
    ["POST", "/v2/listeners", listener],
    ["GET", `/v2/listeners/${UUID}`],
  ] as const) {
    const headers = { "x-api-key": KEY, ...(body && { "content-type": "application/json" }) };
    await fetch(between.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }
  judged(between);
  expect(between.exchanges.map(({ status }) => status)).toEqual([
    ...[201, 200, 200, 200, 200],
    ...[404, 404, 400, 404, 404, 404, 409, 404],
  ]);
});

test("an answer with status 422 matches the document", async () => {
  const between = await service();
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const bad = { ...argumentsFor("repohost"), name: 1 };
  await fetch(`${between.url}/v2/deployments`, { method: "POST", headers, body: JSON.stringify(bad) });
  await fetch(`${between.url}/v2/deployments?limit=0`, { headers });
  const [posted, listed] = between.exchanges;
  const schema = "#/components/schemas/HTTPValidationError";
  expect([posted?.status, listed?.status]).toEqual([422, 422]);
  const faults = [posted, listed].flatMap((each) => (each ? document.judge(each).faults : []));
  expect([schema, faults.filter((fault) => fault.includes("answer 422"))]).toEqual([schema, []]);
});

test.each([
  ["POST", "/v2/deployments"],
  ["PATCH", "/v2/deployments/{deployment_id}"],
] as const)(
  "%s %s: our tables have every field of the document, and the embedded service accepts every field",
  async (method, path) => {
    const { client, exchanges } = await service();
    for (const source of SOURCES) {
      const { id } = await client.createDeployment(argumentsFor(source) as never);
      const { name: _name, source: _source, ...sections } = argumentsFor(source);
      const revisionSource = ["external_docker", "internal_template"].includes(source)
        ? {}
        : { revisionSource: source };
      await client.updateDeployment(id, { displayName: "Title", ...sections, ...revisionSource } as never);
    }
    const sentPaths = exchanges
      .filter((each) => each.method === method)
      .flatMap(({ requestBody }) => pathsIn(requestBody));
    expect(
      pathsIn(wholeOf(document.bodyOf(method, path))).filter((each) => !sentPaths.includes(each)),
    ).toEqual([]);
  },
);

/** The configuration with new values in the fields that can change in place. */
function changed(config: unknown): Properties {
  const { buildOnPush, customUrl, resourceSpec, ...others } = config as Properties;
  return {
    ...others,
    ...(buildOnPush === undefined ? {} : { buildOnPush: true }),
    ...(customUrl === undefined ? {} : { customUrl: "https://another.example.test" }),
    ...(resourceSpec === undefined ? {} : { resourceSpec: { ...(resourceSpec as Properties), cpu: 2 } }),
  };
}

/** The paths of all values in a body; the elements of an array have the path of the array. */
function pathsIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, prefix));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    `${prefix}${name}`,
    ...pathsIn(each, `${prefix}${name}.`),
  ]);
}
