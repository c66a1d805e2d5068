/** If a key is for several workspaces, each request to the control API needs a header that chooses the workspace. */

import { randomUUID } from "node:crypto";
import { provided, sessionOn, URN } from "../../support/providerRun";
import { deployment, listener, tokenMetadata } from "../../support/resourceCalls";

const WORKSPACE = "0d5a3f2b-8c1e-4c7e-9a44-1f0e6f1f7b21";
const headers = { "X-Tenant-Id": WORKSPACE };

const chosen = (requests: readonly { headers: Readonly<Record<string, unknown>> }[]) =>
  new Set(requests.map((request) => request.headers["x-tenant-id"]));

const operationsIn = (requests: readonly { method: string; path: string }[]) =>
  new Set(requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`));

test("every request of the resources names the configured workspace, even requests that are not in the contract", async () => {
  const settings = { headers: JSON.stringify(headers), apiKey: "key" };
  const { emulator, session } = await provided({ profile: "langsmith", apiKey: "key" }, settings);
  emulator.addToken({ id: "token", owner: "key" });
  const cluster = { computeType: "k8s", computeId: "cluster-1", onDestroy: "delete" };
  const image = {
    __urn: URN,
    name: "chat",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  };
  await listener.create(session, cluster);
  await listener.delete(session, randomUUID(), cluster);
  await tokenMetadata.create(session, { tokenId: "token", isDefault: true });
  const { id, outputs } = await deployment.create(session, image);
  const next = {
    ...image,
    sourceConfig: { customUrl: "https://chat.example.test" },
    sourceRevisionConfig: { imageUri: "registry.example/chat:2" },
  };
  await deployment.update(session, id, outputs, next);
  await deployment.read(session, id, outputs);
  // The deletion is in another run, because this run would not delete a deployment that it has created.
  await deployment.delete(sessionOn(emulator, { profile: "langsmith", ...settings }).session, id, outputs);

  expect(operationsIn(emulator.requests)).toEqual(
    new Set([
      "GET /v2/listeners",
      "POST /v2/listeners",
      "DELETE /v2/listeners/ID",
      "PATCH /v2/auth/tokens/token/metadata",
      "GET /v2/deployments",
      "POST /v2/deployments",
      "PATCH /v2/deployments/ID",
      "GET /v2/deployments/ID",
      "POST /v2/deployments/ID/revisions",
      "DELETE /v2/deployments/ID",
    ]),
  );
  expect(chosen(emulator.requests)).toEqual(new Set([WORKSPACE]));
});
