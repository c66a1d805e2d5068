import { provided, sessionOn, URN } from "../../support/providerRun";
import { deployment as called, createDeployment } from "../../support/resourceCalls";

test("if the state has the id in capitals, every call still acts on the same deployment", async () => {
  const profile = "langsmith";
  const { emulator, session, sent } = await provided({ profile, revisionSeconds: 0 });
  const config = { imageUri: "registry.example.test/bot:1" };
  const bot = { __urn: URN, name: "bot", source: "external_docker", sourceRevisionConfig: config };
  const { id, outputs } = await createDeployment(session, bot);
  const inCapitals = id.toUpperCase();
  const news = { ...bot, sourceRevisionConfig: { imageUri: "registry.example.test/bot:2" } };
  sent();
  expect(await called.diff(session, inCapitals, outputs, news, true)).toMatchObject({ changes: true });
  const updated = await called.update(session, inCapitals, outputs, news);
  expect((await called.read(session, inCapitals, updated)).id).toBe(id);
  await called.delete(sessionOn(emulator, { profile }).session, inCapitals, updated);
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /v2/deployments/${id}/revisions`,
    `DELETE /v2/deployments/${id}`,
  ]);
});

test("if a resource's URN has changed, the plan shows the resource's line under the new URN", async () => {
  const { emulator, session } = await provided();
  const renamed = URN.replace("::chat", "::support");
  const bot = { __urn: URN, name: "bot", source: "external_docker", sourceRevisionConfig: { imageUri: "a" } };
  const { id, outputs } = await createDeployment(session, bot);
  const news = { ...bot, __urn: renamed, sourceConfig: { resourceSpec: { minScale: 2 } } };
  const next = sessionOn(emulator, {});
  await called.diff(next.session, id, { ...outputs, __urn: URN }, news, true);
  expect(next.told).toContainEqual(expect.stringMatching(`^info ${renamed} .*updates in place`));
});
