import { Endpoints } from "../../provider/client/endpoints";
import { RuntimeClient } from "../../provider/client/index";
import { rowsUnder } from "../../provider/profiles/profile";
import { PROFILES, type Profile } from "../../provider/profiles/profiles";
import { deploymentOutputRows, deploymentRows } from "../../provider/schema/deployment";
import type { Field, Kind, Rows } from "../../provider/schema/kind";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../../provider/schema/listener";
import { repositoryRows } from "../../provider/schema/repository";
import { revisionRows } from "../../provider/schema/revision";
import { tokenIdRow, tokenMetadataOutputRows, tokenMetadataRows } from "../../provider/schema/tokenMetadata";
import { json, serving } from "../support/httpServer";
import * as listed from "./contractList";

const contract = PROFILES.contract as Profile;

/** The fields of one of our tables, in the notation of the contract's list. */
function shapeOfRows(rows: Rows): listed.Shape {
  const shape: { [field: string]: listed.Shape } = {};
  for (const field of Object.values(rows)) {
    const [section, member] = (field.wire ?? "").split(".") as [string, string?];
    if (section === "") continue;
    if (member === undefined) shape[section] = shapeOf(field.kind);
    else shape[section] = { ...(shape[section] as object), [member]: shapeOf(field.kind) };
  }
  return shape;
}

function shapeOf(kind: Kind<unknown>): listed.Shape {
  switch (kind.type) {
    case "text":
      return "string";
    case "choice":
      return kind.values.join(" | ");
    case "list":
      return [shapeOf(kind.of)];
    case "map":
    case "jsonObject":
      return "object";
    case "keyed":
      return [{ name: "string", ...(shapeOfRows(kind.rows) as object) }];
    case "object":
      return shapeOfRows(kind.rows);
    case "json":
      return "any";
    default:
      return kind.type;
  }
}

/**
 * The id of a deployment has no row, because the engine stores the id. The row `url` is left out, because a second row
 * reads the same field of the answer.
 */
const { id: _kept, ...deploymentAnswer } = listed.deploymentAnswer as { [field: string]: listed.Shape };
const { url: _again, ...answeredRows } = deploymentOutputRows as { readonly [name: string]: Field<unknown> };

test.each<[string, listed.Shape, Rows]>([
  ["a deployment in requests", listed.deploymentRequest, rowsUnder(deploymentRows, contract)],
  ["a deployment in answers", deploymentAnswer, rowsUnder(answeredRows, contract)],
  ["a revision", listed.revision, revisionRows],
  ["a listener", listed.listener, { ...listenerRows, ...listenerOutputRows, id: listenerIdRow }],
  ["a repository", listed.repository, repositoryRows],
  [
    "token metadata",
    listed.tokenMetadata,
    { ...tokenMetadataRows, ...tokenMetadataOutputRows, id: tokenIdRow },
  ],
])("the rows of %s are exactly the contract's fields, types and enum values", (_, shape, rows) => {
  expect(shapeOfRows(rows)).toEqual(shape);
});

test("the profile `contract` names a query parameter for each filter of the contract, and no other query parameters", () => {
  expect(Object.keys(contract.query.deployments).sort()).toEqual([...listed.filters.deployments].sort());
  expect(Object.keys(contract.query.revisions).sort()).toEqual([...listed.filters.revisions].sort());
});

/** The requests that `use` sends to a server that gives every request the same answer. */
async function recording<T>(use: (url: string) => Promise<T>): Promise<string[]> {
  const one = {
    id: "1",
    thread_id: "thread_id",
    run_id: "run_id",
    values: { messages: [] },
    resources: [],
    offset: 0,
  };
  const { url, seen } = await serving((request, response) =>
    json(response, request.url.endsWith("/repos") ? [] : one),
  );
  await use(url);
  return seen.map((request) => `${request.method} ${new URL(request.url, url).pathname}`);
}

/** The path with ids in place of the contract's placeholders. */
const named = (path: string) => path.replace(/\{(\w+)\}/g, "$1");

const calls: { [method: string]: (endpoints: Endpoints) => unknown } = {
  createDeployment: (endpoints) => endpoints.createDeployment({}),
  listDeployments: (endpoints) => all(endpoints.listDeployments()),
  updateDeployment: (endpoints) => endpoints.updateDeployment("deployment_id", {}),
  listRevisions: (endpoints) => all(endpoints.listRevisions("deployment_id")),
  listListeners: (endpoints) => all(endpoints.listListeners()),
  updateListener: (endpoints) => endpoints.updateListener("listener_id", {}),
  listRepositories: (endpoints) => endpoints.listRepositories("integration_id"),
  updateTokenMetadata: (endpoints) => endpoints.updateTokenMetadata("token_id", {}),
};

async function all(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _page of pages);
}

test("the client's calls use each endpoint of the contract exactly once, and no other endpoint", async () => {
  const options = { headers: {}, requestTimeoutSeconds: 5, maxRetries: 0, maxConcurrency: 1 };
  const requests = await recording(async (baseUrl) => {
    const endpoints = new Endpoints({ baseUrl, ...options }, contract);
    for (const call of Object.values(calls)) await call(endpoints);
    await endpoints.close();
  });
  expect(requests.sort()).toEqual(listed.controlEndpoints.map(named).sort());
});

test("the runtime client has a call for each runtime endpoint of the contract", async () => {
  const requests = await recording(async (deploymentUrl) => {
    const runtime = new RuntimeClient({ deploymentUrl });
    const { threadId } = await runtime.createThread();
    const { runId } = await runtime.createRun(threadId, { assistantId: "agent", input: { messages: [] } });
    await runtime.joinRun(threadId, runId);
    await runtime.getState(threadId);
  });
  expect(requests).toEqual(listed.runtimeEndpoints.map(named));
});
