import type * as pulumi from "@pulumi/pulumi";
import providers from "../../../provider";
import { chat, URN } from "../../support/providerRun";

const { deployment, smokeTest } = providers as Record<
  "deployment" | "smokeTest",
  pulumi.dynamic.ResourceProvider
>;

const MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

beforeEach(() => {
  process.env.DEPLOYMENT_CONTROL_BASE_URL = "http://127.0.0.1:9";
});
afterEach(() => {
  delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
});

test("check marks the value of each secret as secret for the engine, but not the secret's name", async () => {
  const checked = await deployment.check?.({}, { ...chat, secrets: { A: "one", B: "two" } });
  expect(checked?.failures).toEqual([]);
  expect(checked?.inputs).toMatchObject({
    secrets: { A: { ...MARK, value: "one" }, B: { ...MARK, value: "two" } },
    secretGenerations: { A: 1, B: 1 },
  });
  const none = await deployment.check?.({}, { ...chat, secrets: undefined });
  expect(none?.inputs).not.toHaveProperty("secrets");
});

test("`check` marks the key of a smoke test as secret for the engine", async () => {
  const args = {
    deploymentUrl: "http://127.0.0.1:9",
    assistantId: "a",
    apiKey: "key",
    expect: { contains: "a" },
  };
  const messages = [{ role: "user", content: "hello" }];
  const checked = await smokeTest.check?.({}, { ...args, messages });
  expect(checked).toMatchObject({ inputs: { apiKey: { ...MARK, value: "key" } }, failures: [] });
});

test("when a setting becomes a secret, the state is updated, because a refresh learns about secrets only from the state", async () => {
  const { inputs } = (await deployment.check?.({}, { ...chat, __urn: URN })) ?? {};
  const marked = { ...inputs, __secretSettings: ["headers"] };
  const changes = async (olds: object, news: object) => (await deployment.diff?.("id", olds, news))?.changes;
  const olds = { ...inputs, serviceUrl: "http://127.0.0.1:9" };
  expect(await changes(olds, { ...inputs })).toBe(false);
  expect(await changes(olds, marked)).toBe(true);
  expect(await changes({ ...olds, __secretSettings: ["headers"] }, marked)).toBe(false);
});
