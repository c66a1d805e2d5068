/**
 * Every endpoint, filter and field of the control API reaches the service in the form that the contract gives.
 *
 * The expected bodies come from the contract's text, and the sent bodies from the tables.
 */
import { ControlClient } from "../../../provider/client";
import { listenerChangeRows } from "../../../provider/client/resources";
import { deploymentRows } from "../../../provider/fields/deployment";
import { tokenMetadataRows } from "../../../provider/fields/tokenMetadata";
import { rowsUnder } from "../../../provider/profiles/profile";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import type { Emulator } from "../../../sdk/emulator";
import { rowsIn } from "../../endpoints/proving";
import { sampleOfRows, UUID } from "../../endpoints/samples";
import { controlEndpoints } from "../../guards/contractList";
import { bodies, rowsOf, sampleOfShape } from "../../guards/contractRows";
import { started } from "../../support/embeddedService";

const sentRows = new Set<string>();
let emulator: Emulator;
let client: ControlClient;

beforeEach(async () => {
  emulator = await started();
  client = new ControlClient({ baseUrl: emulator.url, maxRetries: 0 });
});
afterEach(async () => {
  await client.close();
  for (const row of rowsIn(emulator.requests)) sentRows.add(row);
});

/** Under the contract, only the source `external_docker` has secret references. */
const source = "external_docker";

const bodyOf = (endpoint: string) => sampleOfShape(bodies[endpoint] ?? {}) as object;
const lastSeen = () => emulator.requests.at(-1);

const deploymentContractRows = rowsUnder(deploymentRows, PROFILES.contract as Profile);
const { revisionSource, environment: _plain, ...creation } = sampleOfRows(deploymentContractRows);
const { name: _name, source: _source, ...sections } = creation;
const change = { ...sections, revisionSource };

test("a deployment is created with every field", async () => {
  await client.createDeployment({ ...creation, source } as never);
  expect(lastSeen()?.body).toEqual({ ...bodyOf("POST /v2/deployments"), source });
  expect(lastSeen()?.status).toBe(201);
});

test("a deployment is updated with every field", async () => {
  const { id } = await client.createDeployment({ name: "a", source });
  await client.updateDeployment(id, change as never);
  expect(lastSeen()).toMatchObject({ path: `/v2/deployments/${id}`, status: 200 });
  expect(lastSeen()?.body).toEqual(bodyOf("PATCH /v2/deployments/{deployment_id}"));
});

test("deployments are listed with offset and limit", async () => {
  const ids = emulator.seed(5).reverse();
  const deployments = await client.listDeployments({ offset: 1, limit: 2 });
  expect(deployments.map(({ id }) => id)).toEqual(ids.slice(1, 3));
  expect(emulator.requests.map(({ query }) => query)).toEqual([{ limit: "2", offset: "1" }]);
});

/** Lists three deployments with a filter; returns the matches and the parameter that was sent. */
async function filtered(
  filters: object,
  parameter: string,
  value: string,
  wanted: (ids: string[]) => string[],
) {
  const ids = emulator.seed(3);
  emulator.change(ids[1] ?? "", {
    status: "UNUSED",
    remote_reconciled: true,
    tag_value_ids: ["tag-1"],
    image_version: "1.2",
    source_config: { deployment_type: "prod" },
  });
  const deployments = await client.listDeployments(filters);
  expect(deployments.map(({ id }) => id).sort()).toEqual([...wanted(ids)].sort());
  expect(emulator.requests[0]?.query).toEqual({ limit: "100", offset: "0", [parameter]: value });
}
const second = ([, id = ""]: string[]): string[] => [id];

test("deployments are filtered by name", () => filtered({ name: "seed-0002" }, "name", "seed-0002", second));

test("deployments are filtered by status", () => filtered({ status: "UNUSED" }, "status", "UNUSED", second));

test("deployments are filtered by the remote-reconciled flag", () =>
  filtered({ remoteReconciled: true }, "remote_reconciled", "true", second));

test("deployments are filtered by tag value ids", () =>
  filtered({ tagValueIds: ["tag-1", "tag-2"] }, "tag_value_ids", "tag-1,tag-2", second));

test("deployments are filtered by image version", () =>
  filtered({ imageVersion: "1.2" }, "image_version", "1.2", second));

test("deployments are filtered by deployment type", () =>
  filtered({ deploymentType: "prod" }, "deployment_type", "prod", second));

test("deployments are filtered by their ids", async () => {
  const [one = "", two = ""] = emulator.seed(3);
  const deployments = await client.listDeployments({ deploymentIds: [one, two] });
  expect(deployments.map(({ id }) => id).sort()).toEqual([one, two].sort());
  expect(lastSeen()?.query.deployment_ids).toBe(`${one},${two}`);
});

/** A deployment with three revisions, the newest of which is unfinished. */
async function revised(): Promise<string> {
  const [id = ""] = emulator.seed(1);
  emulator.push(id);
  emulator.behaviour.revisionSeconds = 3600;
  emulator.push(id);
  return id;
}

test("revisions are listed with offset and limit", async () => {
  const id = await revised();
  const listed = await client.listRevisions(id, { offset: 1, limit: 1 });
  expect(listed.map((revision) => revision.id)).toEqual([emulator.deployments()[0]?.revisions[1]?.id]);
  expect(lastSeen()).toMatchObject({
    path: `/v2/deployments/${id}/revisions`,
    query: { limit: "1", offset: "1" },
  });
});

test("revisions are filtered by any of several statuses", async () => {
  const id = await revised();
  const listed = await client.listRevisions(id, { statuses: ["CREATING", "BUILD_FAILED"] });
  expect(listed.map(({ status }) => status)).toEqual(["CREATING"]);
  expect(lastSeen()?.query.status).toBe("CREATING,BUILD_FAILED");
});

test("revisions are filtered by the remote-reconciled flag", async () => {
  const id = await revised();
  expect(await client.listRevisions(id, { remoteReconciled: true })).toEqual([]);
  expect(lastSeen()?.query.remote_reconciled).toBe("true");
});

test("listeners are listed with offset and limit", async () => {
  const ids = ["a", "b", "c"].map((compute_id) => emulator.addListener({ compute_id }).id).reverse();
  expect((await client.listListeners({ offset: 1, limit: 1 })).map(({ id }) => id)).toEqual([ids[1]]);
  expect(lastSeen()?.query).toEqual({ limit: "1", offset: "1" });
});

test("a listener is updated with every field", async () => {
  const { id } = emulator.addListener({ compute_id: "a" });
  await client.updateListener(id, sampleOfRows(listenerChangeRows));
  expect(lastSeen()).toMatchObject({ path: `/v2/listeners/${id}`, status: 200 });
  expect(lastSeen()?.body).toEqual(bodyOf("PATCH /v2/listeners/{listener_id}"));
});

test("the repositories of an integration are listed", async () => {
  emulator.addRepositories(UUID, [{ owner: "acme", name: "agent" }]);
  expect((await client.listRepositories(UUID)).map(({ name }) => name)).toEqual(["agent"]);
  expect(lastSeen()?.path).toBe(`/v1/integrations/forge/repohost/${UUID}/repos`);
});

test("a token's metadata is updated with every field", async () => {
  emulator.addToken({ id: "t-1" });
  await client.updateTokenMetadata("t-1", sampleOfRows(tokenMetadataRows));
  expect(lastSeen()).toMatchObject({ path: "/v2/auth/tokens/t-1/metadata", status: 200 });
  expect(lastSeen()?.body).toEqual(bodyOf("PATCH /v2/auth/tokens/{token_id}/metadata"));
});

test("the tests above cover every endpoint, filter and field of the contract's control API", () => {
  expect(rowsOf(controlEndpoints).filter((row) => !sentRows.has(row))).toEqual([]);
});
