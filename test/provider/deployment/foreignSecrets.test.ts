/** Secrets that somebody has added on the service, which the next change of the program's secrets would remove. */
import { chat, provided, sessionOn } from "../../support/providerRun";
import { createDeployment, deployment, readDeployment, updateDeployment } from "../../support/resourceCalls";

const BY_HAND = { name: "BY_HAND", value: "sk-added-by-hand" };
const LOST =
  "sending its secrets removes what somebody added on the service and the program does not give: BY_HAND. To keep one, give it in secrets";
const STAYS =
  "the service has secrets that the program does not give: BY_HAND. The next change of its secrets removes them; to keep one, give it in secrets";
const scaled = { ...chat, sourceConfig: { buildOnPush: false } };

async function withOneByHand(inputs: typeof chat | object = chat) {
  const made = await provided();
  const { id, outputs } = await createDeployment(made.session, { ...inputs });
  const [stored] = made.emulator.deployments();
  made.emulator.change(id, { secrets: [...(stored?.secrets ?? []), BY_HAND] });
  const names = () => made.emulator.deployments()[0]?.secrets.map(({ name }) => name);
  /** Another run's. */
  const refresh = async () => {
    const { session, warnings } = sessionOn(made.emulator);
    const state = (await readDeployment(session, id, outputs)).outputs ?? {};
    return { state, warned: warnings() };
  };
  /** The lines and warnings of the plan from that state, in a run of its own. */
  const plan = async (state: object, news: object) => {
    const run = sessionOn(made.emulator);
    const { inputs: planned } = await deployment.check(run.session, { ...state }, { ...news });
    await deployment.diff(run.session, id, { ...state }, { ...news, ...planned }, true);
    return run;
  };
  return { ...made, id, outputs, names, refresh, plan };
}

const rotated = { ...chat, secrets: { TOKEN: "rotated-secret-value" } };

test("a refresh tells of it, and the plan says where it would be removed", async () => {
  const { refresh, plan } = await withOneByHand();
  const { state, warned } = await refresh();
  expect(warned).toEqual([expect.stringContaining(STAYS)]);
  expect((await plan(state, chat)).told).toEqual([]);
  expect((await plan(state, scaled)).warnings()).toEqual([]);
  const { told, warnings: planned } = await plan(state, rotated);
  expect(told.join()).toContain("secret BY_HAND removed, which somebody added on the service");
  expect(planned()).toEqual([expect.stringContaining(LOST)]);
});

test("an answer to an update in place tells of it too, so that the next plan knows without a refresh", async () => {
  const { session, id, outputs, names, plan } = await withOneByHand();
  const after = await updateDeployment(session, id, outputs, scaled);
  expect(names()).toContain("BY_HAND");
  expect((await plan(after, { ...rotated, sourceConfig: scaled.sourceConfig })).warnings()).toEqual([
    expect.stringContaining(LOST),
  ]);
});

test("a program that gives it takes it over, and it is not called removed", async () => {
  const { refresh, plan } = await withOneByHand();
  const given = { ...chat, secrets: { ...chat.secrets, BY_HAND: BY_HAND.value } };
  const { told, warnings } = await plan((await refresh()).state, given);
  expect(told.join()).toContain("secret BY_HAND added");
  expect(warnings()).toEqual([]);
});

test("a program that gives no secrets leaves it, and its first secret would remove it", async () => {
  const bare = { ...chat, secrets: undefined, secretGenerations: undefined };
  const { refresh, plan } = await withOneByHand(bare);
  const { state, warned } = await refresh();
  expect(warned).toEqual([]);
  expect((await plan(state, bare)).told).toEqual([]);
  expect((await plan(state, rotated)).warnings()).toEqual([expect.stringContaining(LOST)]);
});
