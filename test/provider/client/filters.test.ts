/** Tests list filters: the query that is sent, the entries that match, and the filters that the client refuses. */
import {
  BadRequestError,
  type ControlClient,
  type ControlClientOptions,
  type DeploymentFilters,
} from "../../../provider/client";
import { json, type Served, serving } from "../../support/httpServer";
import { controlClient } from "../../support/runtimeClient";

/** A service that ignores filters. It answers the first request with these entries. */
async function answering(
  entries: readonly object[],
  options: Partial<ControlClientOptions> = {},
): Promise<{ client: ControlClient; service: Served }> {
  const service = await serving((_, response, number) =>
    json(response, { resources: number === 1 ? entries : [], offset: entries.length }),
  );
  return { client: controlClient({ baseUrl: service.url, ...options }), service };
}

async function matchingIds(
  filters: DeploymentFilters,
  entries: readonly object[],
  options: Partial<ControlClientOptions> = {},
): Promise<string[]> {
  const { client } = await answering(entries, options);
  return (await client.listDeployments(filters)).map(({ id }) => id);
}

const agent = { id: "a", name: "Agent", status: "READY", image_version: "1.2" };
const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7bab";

test("if a filter has an empty list of ids or statuses, nothing matches and no request is sent", async () => {
  const { client, service } = await answering([agent]);
  expect(await client.listDeployments({ deploymentIds: [] })).toEqual([]);
  expect(await client.listRevisions("one", { statuses: [] })).toEqual([]);
  expect(service.seen).toEqual([]);
});

test("a limit also caps the page size, unless the client itself filters the page", async () => {
  const { client, service } = await answering([agent]);
  await client.listDeployments({ limit: 1 });
  await client.listDeployments({ limit: 1, name: "Agent" });
  await client.listDeployments({ limit: 1, name: "Agent", pageSize: 7 });
  expect(service.seen.map(({ url }) => new URL(url, service.url).searchParams.get("limit"))).toEqual([
    "1",
    "100",
    "7",
  ]);
});

test("an undefined filter is ignored, even under an unknown name", async () => {
  const { client, service } = await answering([agent]);
  const filters = { name: undefined, tenant: undefined, deploymentIds: undefined };
  expect(await client.listDeployments(filters as DeploymentFilters)).toHaveLength(1);
  expect(service.seen[0]?.url).toBe("/v2/deployments?limit=100&offset=0");
});

test("a filter compares strings exactly, but ignores the letter case of ids", async () => {
  expect(await matchingIds({ name: "Agent" }, [agent, { ...agent, id: "b", name: "agent" }])).toEqual(["a"]);
  expect(await matchingIds({ name: "agent" }, [agent])).toEqual([]);
  expect(await matchingIds({ deploymentIds: [ID.toUpperCase()] }, [{ id: ID }, { id: "b" }])).toEqual([ID]);
  expect(await matchingIds({ deploymentIds: [ID] }, [{ id: ID.toUpperCase() }])).toEqual([ID]);
});

test("only the service applies a filter on a field that the answer does not show", async () => {
  expect(await matchingIds({ remoteReconciled: true, tagValueIds: ["x"] }, [agent])).toEqual(["a"]);
  expect(await matchingIds({ deploymentType: "prod" }, [agent])).toEqual(["a"]);
  expect(await matchingIds({ deploymentType: "prod" }, [{ ...agent, source_config: {} }])).toEqual(["a"]);
  expect(
    await matchingIds({ deploymentType: "prod" }, [{ ...agent, source_config: { deployment_type: "dev" } }]),
  ).toEqual([]);
});

test("a filter looks up each field by the name that the service uses for it", async () => {
  const wire = { "sourceConfig.deploymentType": "size", sourceConfig: "config" };
  const sized = (id: string, size: string) => ({
    id,
    config: { size },
    source_config: { deployment_type: "prod" },
  });
  const entries = [sized("a", "prod"), sized("b", "dev")];
  expect(await matchingIds({ deploymentType: "prod" }, entries, { profileOverrides: { wire } })).toEqual([
    "a",
  ]);
});

test.each<[object, string]>([
  [{ deploymentType: "huge" }, 'deploymentType: got "huge" (a string); allowed: "dev_free", "dev"'],
  [{ status: 7 }, "status: got 7 (a number); allowed: "],
  [{ remoteReconciled: "true" }, 'remoteReconciled: got "true" (a string); allowed: true or false'],
  [{ deploymentIds: "a" }, 'deploymentIds: got "a" (a string); allowed: a list'],
  [
    { tagValueIds: ["a", ""] },
    "tagValueIds: allowed: a list of strings that are not empty and have no comma",
  ],
  [
    { tagValueIds: ["a", "b,c"] },
    "tagValueIds: allowed: a list of strings that are not empty and have no comma",
  ],
  [{ tagValueIds: [7] }, "tagValueIds: allowed: a list of strings that are not empty and have no comma"],
  [{ toString: "x" }, "toString: is not a filter of deployments; allowed: name, "],
])(
  "the filter %j is refused before anything is sent, and the error names the filter",
  async (filters, words) => {
    const { client, service } = await answering([]);
    const list = () => client.listDeployments(filters as DeploymentFilters);
    expect(list).toThrow(BadRequestError);
    expect(list).toThrow(words);
    expect(service.seen).toEqual([]);
  },
);

test("filters accept the values that a profile's service adds, and values that are newer than the profile", async () => {
  const config = { deployment_type: "dev_zero" };
  const leaving = { ...agent, status: "AWAITING_FINAL_DELETE", source_config: config };
  const { client, service } = await answering([agent, leaving], { profile: "langsmith" });
  const filters = { status: "AWAITING_FINAL_DELETE", deploymentType: "dev_zero" };
  expect(await client.listDeployments(filters)).toHaveLength(1);
  expect(await client.listDeployments({ deploymentType: "dev_next" })).toEqual([]);
  await client.listRevisions("one", { statuses: ["HELD"] });
  const queries = service.seen.map(({ url }) => new URL(url, service.url).searchParams);
  expect(queries.map((query) => query.get("deployment_type") ?? query.get("status"))).toEqual([
    "dev_zero",
    "dev_next",
    "HELD",
  ]);
});

test("revision filters differ from deployment filters, and listeners have no filters", async () => {
  const { client } = await answering([]);
  expect(() => client.listRevisions("one", { statuses: ["BROKEN" as never] })).toThrow(
    'statuses.0: got "BROKEN" (a string); allowed: "CREATING"',
  );
  expect(() => client.listRevisions("one", { status: "DEPLOYED" } as never)).toThrow(
    "status: is not a filter of revisions; did you mean statuses?",
  );
  expect(() => client.listDeployments({ stauts: "READY" } as never)).toThrow(
    "stauts: is not a filter of deployments; did you mean status?",
  );
  expect(() => client.listListeners({ name: "x" } as never)).toThrow(/^name: is not a filter of listeners$/);
});
