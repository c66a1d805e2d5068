/** Operations of the public service that are not in the contract. */
import { randomUUID } from "node:crypto";
import { ask, created, revisionsOf, started } from "../../support/embeddedService";

const langsmith = (options: object = {}) => started({ profile: "langsmith", ...options });

const image = {
  name: "image",
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.example.test/a:1" },
  secrets: [],
};

test("one call deletes several deployments, and lists unknown ids as failed", async () => {
  const emulator = await langsmith({ revisionSeconds: 3600 });
  const [one = "", two = "", three = ""] = emulator.seed(3);
  const remove = (...ids: string[]) =>
    ask(emulator, "DELETE", `/v2/deployments?${ids.map((id) => `deployment_ids=${id}`).join("&")}`);
  expect(await remove(one, two)).toMatchObject({ status: 200, body: { deleted: [one, two], failed: [] } });
  expect((await ask(emulator, "GET", `/v2/deployments/${one}`)).body.status).toBe("AWAITING_DELETE");
  const stranger = randomUUID();
  expect(await remove(three, stranger)).toMatchObject({
    status: 207,
    body: { deleted: [three], failed: [{ id: stranger, detail: `Deployment ${stranger} not found.` }] },
  });
  expect((await remove(stranger)).status).toBe(404);
});

test("a call can delete one to a hundred deployments, and their ids may be separated by commas", async () => {
  const emulator = await langsmith();
  const ids = emulator.seed(101);
  const remove = (query: string) => ask(emulator, "DELETE", `/v2/deployments${query}`);
  expect((await remove(`?deployment_ids=${ids.join(",")}`)).body.detail).toEqual([
    { loc: ["query", "deployment_ids"], msg: "must be at most 100 values", type: "too_big" },
  ]);
  expect((await remove("")).body.detail[0]).toMatchObject({ type: "missing" });
  expect((await remove("?deployment_ids=all")).status).toBe(422);
  expect((await remove(`?deployment_ids=${ids.slice(1).join(",")}`)).status).toBe(200);
  expect(emulator.deployments().map(({ id }) => id)).toEqual([ids[0]]);
});

test("deploying an old revision again makes a new revision with the old settings", async () => {
  const emulator = await langsmith();
  const { id, latest_revision_id: first } = await created(emulator, image);
  const change = { source_revision_config: { image_uri: "registry.example.test/a:2" } };
  await ask(emulator, "PATCH", `/v2/deployments/${id}`, change);
  const again = await ask(emulator, "POST", `/v2/deployments/${id}/revisions/${first}/redeploy`);
  expect(again).toMatchObject({
    status: 200,
    body: { id, source_revision_config: image.source_revision_config },
  });
  const images = (await revisionsOf(emulator, id)).map(
    (revision: { source_revision_config: { image_uri: string } }) =>
      revision.source_revision_config.image_uri,
  );
  expect(images).toEqual(["a:1", "a:2", "a:1"].map((name) => `registry.example.test/${name}`));
  expect(again.body.latest_revision_id).not.toBe(first);
  const stranger = `/v2/deployments/${id}/revisions/${randomUUID()}/redeploy`;
  expect((await ask(emulator, "POST", stranger)).status).toBe(404);
});

test("a caller can list all of their own tokens, or those of one provider, and never sees the owner's key", async () => {
  const emulator = await langsmith();
  emulator.addToken({ id: "mine", owner: "key-1", provider_id: "github" });
  emulator.addToken({ id: "other", owner: "key-2" });
  emulator.addToken({ id: "anybody", provider_id: "slack" });
  const list = async (query = "") =>
    (await ask(emulator, "GET", `/v2/auth/tokens${query}`, undefined, { "x-api-key": "key-1" })).body;
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual(["mine", "anybody"]);
  expect(await list("?provider_id=slack")).toMatchObject([{ id: "anybody", provider_id: "slack" }]);
  expect(JSON.stringify(await list())).not.toContain("key-1");
});
