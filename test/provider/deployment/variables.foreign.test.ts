/**
 * Foreign secrets: a user has added them on the service, and the next change of the program's secrets would remove
 * them.
 */
import { chat, provided, sessionOn } from "../../support/providerRun";
import { createDeployment, deployment, readDeployment, updateDeployment } from "../../support/resourceCalls";

const BY_HAND = { name: "BY_HAND", value: "sk-added-by-hand" };
const LOST =
  "sending its secrets removes what somebody added on the service and the program does not give: BY_HAND. To keep one, give it in secrets or environment";
const STAYS =
  "the service has secrets that the program does not give: BY_HAND. The next change of its secrets removes them; to keep one, give it in secrets or environment";
const scaled = { ...chat, sourceConfig: { buildOnPush: false } };

async function withOneByHand(inputs: typeof chat | object = chat) {
  const creationRun = await provided();
  const { id, outputs } = await createDeployment(creationRun.session, { ...inputs });
  const [stored] = creationRun.emulator.deployments();
  creationRun.emulator.change(id, { secrets: [...(stored?.secrets ?? []), BY_HAND] });
  const names = () => creationRun.emulator.deployments()[0]?.secrets.map(({ name }) => name);
  /** In another run. */
  const refresh = async () => {
    const { session, warnings } = sessionOn(creationRun.emulator);
    const state = (await readDeployment(session, id, outputs)).outputs ?? {};
    return { state, warned: warnings() };
  };
  /** The lines and warnings of the plan from that state, in another run. */
  const plan = async (state: object, news: object) => {
    const run = sessionOn(creationRun.emulator);
    const { inputs: planned } = await deployment.check(run.session, { ...state }, { ...news });
    await deployment.diff(run.session, id, { ...state }, { ...news, ...planned }, true);
    return run;
  };
  return { ...creationRun, id, outputs, names, refresh, plan };
}

const rotated = { ...chat, secrets: { TOKEN: "rotated-secret-value" } };

test("a refresh warns of a foreign secret, and the plan says which change would remove it", async () => {
  const { refresh, plan } = await withOneByHand();
  const { state, warned } = await refresh();
  expect(warned).toEqual([expect.stringContaining(STAYS)]);
  expect((await plan(state, chat)).told).toEqual([]);
  expect((await plan(state, scaled)).warnings()).toEqual([]);
  const { told, warnings: planned } = await plan(state, rotated);
  expect(told.join()).toContain("secret BY_HAND removed, which somebody added on the service");
  expect(planned()).toEqual([expect.stringContaining(LOST)]);
});

test("an update in place also records a foreign secret, so the next plan knows of it without a refresh", async () => {
  const { session, id, outputs, names, plan } = await withOneByHand();
  const after = await updateDeployment(session, id, outputs, scaled);
  expect(names()).toContain("BY_HAND");
  expect((await plan(after, { ...rotated, sourceConfig: scaled.sourceConfig })).warnings()).toEqual([
    expect.stringContaining(LOST),
  ]);
});

test("if the program adds a foreign secret, the plan calls it added, not removed", async () => {
  const { refresh, plan } = await withOneByHand();
  const news = { ...chat, secrets: { ...chat.secrets, BY_HAND: BY_HAND.value } };
  const { told, warnings } = await plan((await refresh()).state, news);
  expect(told.join()).toContain("secret BY_HAND added");
  expect(warnings()).toEqual([]);
});

test("if the program has no secrets, the foreign secret stays, but the program's first secret would remove it", async () => {
  const bare = { ...chat, secrets: undefined, secretGenerations: undefined };
  const { refresh, plan } = await withOneByHand(bare);
  const { state, warned } = await refresh();
  expect(warned).toEqual([]);
  expect((await plan(state, bare)).told).toEqual([]);
  expect((await plan(state, rotated)).warnings()).toEqual([expect.stringContaining(LOST)]);
});
