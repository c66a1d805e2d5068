import { deployment, smokeTest } from "../../../provider";
import { chat } from "../providing";

const MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

beforeEach(() => {
  process.env.DEPLOYMENT_CONTROL_BASE_URL = "http://127.0.0.1:9";
});
afterEach(() => {
  delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
});

test("each secret leaves check with the engine's mark, its name in the open", async () => {
  const checked = await deployment.check?.({}, { ...chat, secrets: { A: "one", B: "two" } });
  expect(checked?.failures).toEqual([]);
  expect(checked?.inputs).toMatchObject({
    secrets: { A: { ...MARK, value: "one" }, B: { ...MARK, value: "two" } },
    secretGenerations: { A: 1, B: 1 },
  });
  const none = await deployment.check?.({}, { ...chat, secrets: undefined });
  expect(none?.inputs).not.toHaveProperty("secrets");
});

test("so does the key of a smoke test", async () => {
  const asked = {
    deploymentUrl: "http://127.0.0.1:9",
    assistantId: "a",
    apiKey: "key",
    expect: { contains: "a" },
  };
  const messages = [{ role: "user", content: "hello" }];
  const checked = await smokeTest.check?.({}, { ...asked, messages });
  expect(checked).toMatchObject({ inputs: { apiKey: { ...MARK, value: "key" } }, failures: [] });
});
