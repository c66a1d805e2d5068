/** Engines since 3.261 send the old outputs with each `Check` of an update; older engines send only the old inputs. */
import { PLAN } from "../../../../provider/engine/schema";
import {
  closeClients,
  type Failed,
  hideProviderLines,
  provider,
  secret,
  shownOf,
  UNKNOWN,
  URN,
} from "../../../support/pluginClient";

beforeEach(hideProviderLines);
afterEach(closeClients);

const CANARY = "sk-canary-of-this-test";
const image = (version: number) => ({
  sourceRevisionConfig: { imageUri: `registry.example/chat:${version}` },
});
const chat = (version: number, args: object = {}) => ({
  name: "chat",
  source: "external_docker",
  ...image(version),
  secrets: secret({ KEY: secret(CANARY) }),
  ...args,
});

/** A stack as the engine has it: the inputs and the outputs. */
async function created(args = chat(1), profile: "contract" | "langsmith" = "langsmith") {
  const { emulator, client } = await provider({ profile }, { profile });
  const { inputs } = await client.check(URN, args);
  const answer = await client.call("create", { urn: URN, properties: inputs });
  return { emulator, client, inputs, id: answer.getId(), outputs: answer.getProperties().toJavaScript() };
}

/**
 * A stack after a failed update to image 2, with the arguments in `change`: the engine keeps the inputs from before the
 * update, and the service has the values that the update sent.
 */
async function afterFailure(change: object = {}, ...[first, profile]: Parameters<typeof created>) {
  const { emulator, client, inputs, id, outputs } = await created(first, profile);
  const update = async (args: object, olds: object) => {
    const { inputs: news } = await client.check(URN, args, inputs);
    const answer = await client.call("update", { urn: URN, id, olds, oldInputs: inputs, news });
    return answer.getProperties().toJavaScript();
  };
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const { left } = await update(chat(2, { ...first, ...image(2), ...change }), outputs).then(
    () => ({ left: undefined }),
    (error: Failed) => error,
  );
  return { emulator, client, inputs, id, state: left?.properties, update };
}

test("a failed revision that is made again increments the generation only if Check gets the old outputs", async () => {
  const { client, inputs, id, state } = await afterFailure();
  expect(state).toMatchObject({ revisionGeneration: 2, latestRevisionStatus: "BUILD_FAILED" });
  const withOutputs = await client.check(URN, chat(2), inputs, state);
  expect(withOutputs.inputs).toMatchObject({
    revisionGeneration: 3,
    [PLAN]: { verdict: "newRevision", changes: [] },
  });
  const withoutOutputs = await client.check(URN, chat(2), inputs);
  expect(withoutOutputs.inputs).toMatchObject({
    revisionGeneration: 2,
    [PLAN]: { verdict: "newRevision", changes: [{ path: "sourceRevisionConfig.imageUri" }] },
  });
  const plan = { urn: URN, id, olds: state, oldInputs: inputs };
  const difference = await client.call("diff", { ...plan, news: withOutputs.inputs });
  expect([...difference.getDetaileddiffMap().toArray()].map(([path]: [string]) => path)).toEqual([
    "revisionGeneration",
  ]);
  const updated = await client.call("update", { ...plan, news: withOutputs.inputs });
  expect(updated.getProperties().toJavaScript()).toMatchObject({
    revisionGeneration: 3,
    latestRevisionStatus: "DEPLOYED",
  });
});

test("a resumed revision increments the generation only if Check gets the old outputs", async () => {
  const { client, inputs, outputs } = await created();
  const cutShort = { ...outputs, rolloutState: "unfinished", latestRevisionStatus: "BUILDING" };
  const { inputs: resumed } = await client.check(URN, chat(1), inputs, cutShort);
  expect(resumed).toMatchObject({ revisionGeneration: 2, [PLAN]: inputs[PLAN] });
  expect((await client.check(URN, chat(1), inputs)).inputs.revisionGeneration).toBe(1);
});

test("a change after a failed revision increments the generation only once, even while the change is unknown", async () => {
  const { client, inputs, state } = await afterFailure();
  for (const image of [3, UNKNOWN]) {
    const args = chat(2, { sourceRevisionConfig: { imageUri: `${image}` } });
    expect((await client.check(URN, args, inputs, state)).inputs.revisionGeneration).toBe(3);
  }
});

test("if the program reverts a failed update, the plan names the values that the service has now, not the values before the failure", async () => {
  const { client, inputs, state } = await afterFailure();
  const back = await client.check(URN, chat(1), inputs, state);
  const path = "sourceRevisionConfig.imageUri";
  const [before, after] = ["registry.example/chat:2", "registry.example/chat:1"];
  expect(back.inputs[PLAN].changes).toEqual([{ path, effect: "newRevision", before, after }]);
  expect(back.inputs.revisionGeneration).toBe(3);
  expect((await client.check(URN, chat(1), inputs)).inputs[PLAN].changes).toEqual([]);
});

test("with old outputs, unchanged arguments cause no change in the plan, and no secret in the outputs is shown", async () => {
  const { client, inputs, id, outputs } = await created();
  const again = await client.check(URN, chat(1), inputs, outputs);
  expect(again.inputs).toEqual(inputs);
  const fields = { urn: URN, id, olds: outputs, oldInputs: inputs, news: again.inputs };
  expect((await client.call("diff", fields)).getChanges()).toBe(1);
  const changed = await client.check(URN, chat(1, { secrets: secret({ KEY: "b" }) }), inputs, outputs);
  expect(shownOf(changed.inputs)).not.toContain(CANARY);
  expect(changed.inputs[PLAN].changes).toMatchObject([{ path: "secrets.KEY", before: "[secret]" }]);
});

test("old outputs that are empty, or that another provider wrote, are ignored", async () => {
  const { client, inputs } = await created();
  for (const outputs of [{}, { rolloutState: "failed" }])
    expect((await client.check(URN, chat(1), inputs, outputs)).inputs).toEqual(inputs);
});

const LEVEL = "info";
const first = chat(1, {
  secrets: secret({ KEY: secret("key-value-one") }),
  environment: { LEVEL, MARKED: secret("marked-value-one") },
});
const FIRST = { LEVEL, KEY: "key-value-one", MARKED: "marked-value-one" };

describe.each(["contract", "langsmith"] as const)("under profile %s", (profile) => {
  test.each<[string, object]>([
    ["a changed secret", { secrets: secret({ KEY: secret("key-value-two") }) }],
    ["an added secret", { secrets: secret({ KEY: secret("key-value-one"), MORE: secret("more-value") }) }],
    ["a changed variable marked secret", { environment: { LEVEL, MARKED: secret("marked-value-two") } }],
    ["the removal of a variable marked secret", { environment: { LEVEL } }],
  ])(
    "after a failed update, the next update reverts %s, with or without a refresh",
    async (_what, change) => {
      for (const isRefreshed of [false, true]) {
        const { emulator, client, inputs, id, state, update } = await afterFailure(change, first, profile);
        expect(shownOf(state)).not.toMatch(/(key|marked|more)-value/);
        const refreshed = await client.call("read", { urn: URN, id, properties: state, inputs });
        await update(first, isRefreshed ? refreshed.getProperties().toJavaScript() : state);
        const variables = (emulator.deployments()[0]?.secrets ?? []).map(({ name, value }) => [name, value]);
        expect(Object.fromEntries(variables)).toEqual(FIRST);
      }
    },
  );
});
