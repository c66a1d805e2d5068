import { faultInWords } from "../../../provider/fields/check";
import type { Properties } from "../../../provider/fields/value";
import { provided } from "../../support/providerRun";
import { smokeTest } from "../../support/resourceCalls";

const KEY = "key-of-the-deployment";
const right = {
  __urn: "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:SmokeTest::greeting",
  deploymentUrl: "https://chat.example",
  assistantId: "echo",
  messages: [{ role: "user", content: "hello" }],
  expect: { contains: "hello" },
};

test.each<[string, Properties, string]>([
  [
    "two expectations",
    { expect: { contains: "a", equals: "b" } },
    "expect: got contains and equals; allowed: exactly one",
  ],
  ["none", { expect: {} }, "expect: got none of them; allowed: exactly one of contains, matches, equals"],
  ["a bad pattern", { expect: { matches: "(" } }, "expect.matches: is not a valid regular expression"],
  ["no messages", { messages: [] }, "messages: is empty"],
  [
    "a number as content",
    { messages: [{ role: "user", content: 1 }] },
    "messages.0.content: allowed: a string or a list",
  ],
  [
    "no address",
    { deploymentUrl: "chat.example" },
    'deploymentUrl: got "chat.example"; allowed: an http or https address',
  ],
  [
    "a key in the open",
    { deploymentUrl: "http://chat.example", apiKey: KEY },
    "http://chat.example is plain http",
  ],
  ["an unknown argument", { assistentId: "x" }, "assistentId: is not an argument; did you mean assistantId?"],
  ["no time", { timeoutSeconds: 0 }, "timeoutSeconds: got 0"],
])("%s: refused by name, and nothing is sent", async (_what, args, words) => {
  const { session, sent } = await provided();
  const { failures } = await smokeTest.check(session, undefined, { ...right, ...args });
  expect(failures.map(faultInWords).join("\n")).toContain(words);
  expect(sent()).toEqual([]);
});

test("right arguments are taken", async () => {
  const { session } = await provided();
  expect((await smokeTest.check(session, undefined, right)).failures).toEqual([]);
});
