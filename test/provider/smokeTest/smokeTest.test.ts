import { faultInWords } from "../../../provider/schema/check";
import type { Properties } from "../../../provider/schema/value";
import type { Emulator } from "../../../sdk/emulator";
import { turnedClock } from "../../support/httpServer";
import { failureOf, provided } from "../../support/providerRun";
import { smokeTest } from "../../support/resourceCalls";

const KEY = "key-of-the-deployment";
const validArguments = {
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
  [
    "no expectation",
    { expect: {} },
    "expect: got none of them; allowed: exactly one of contains, matches, equals",
  ],
  ["a bad pattern", { expect: { matches: "(" } }, "expect.matches: is not a valid regular expression"],
  ["no messages", { messages: [] }, "messages: is empty"],
  [
    "a number as content",
    { messages: [{ role: "user", content: 1 }] },
    "messages.0.content: allowed: a string or a list",
  ],
  [
    "an address without a scheme",
    { deploymentUrl: "chat.example" },
    'deploymentUrl: got "chat.example"; allowed: an http or https address',
  ],
  [
    "a key over plain http",
    { deploymentUrl: "http://chat.example", apiKey: KEY },
    "http://chat.example is plain http",
  ],
  ["an unknown argument", { assistentId: "x" }, "assistentId: is not an argument; did you mean assistantId?"],
  ["a time-out of zero", { timeoutSeconds: 0 }, "timeoutSeconds: got 0"],
])("the check refuses %s, names the argument, and sends nothing", async (_what, args, words) => {
  const { session, sent } = await provided();
  const { failures } = await smokeTest.check(session, undefined, { ...validArguments, ...args });
  expect(failures.map(faultInWords).join("\n")).toContain(words);
  expect(sent()).toEqual([]);
});

/**
 * A smoke test of a running deployment. The clock moves during sleeps, and jumps to the time-out while the smoke test
 * waits for the end of a run.
 */
async function asked(before: (emulator: Emulator) => unknown, args: Properties = {}) {
  const clock = turnedClock();
  const isHeld = () =>
    args.assistantId === "wait" && emulator.requests.some(({ path }) => path.endsWith("/join"));
  const alarm = (milliseconds: number, ring: () => void) => {
    const timer = setInterval(() => {
      if (!isHeld()) return;
      clearInterval(timer);
      clock.turn(milliseconds);
      ring();
    }, 5);
    return () => clearInterval(timer);
  };
  const { emulator, session, told, sent } = await provided({ runSeconds: 600 }, {}, { ...clock, alarm });
  const deploymentUrl = `${emulator.url}/runtime/${emulator.seed(1)[0]}`;
  before(emulator);
  const report = smokeTest.create(session, { ...validArguments, deploymentUrl, ...args });
  return { report, told, sent };
}

const html = { kind: "html", match: { pathPattern: /\/threads$/ } } as const;

test.each<[string, Properties, (emulator: Emulator) => unknown, RegExp]>([
  [
    "an assistant that does not exist",
    { assistantId: "nobody" },
    () => {},
    /Is there an assistant "nobody" \(assistantId\)/,
  ],
  [
    "a graph that fails",
    { assistantId: "fail" },
    () => {},
    /the run failed: .*RuntimeError: The graph fail always/,
  ],
  [
    "no answer in time",
    { assistantId: "wait", timeoutSeconds: 5 },
    () => {},
    /got no answer within its time-out of 5 s \(timeoutSeconds\)/,
  ],
  [
    "no deployment at the address",
    {},
    (emulator) => emulator.remove(emulator.deployments()[0]?.id as string),
    /Is deploymentUrl the address of a running deployment\?/,
  ],
  [
    "a web page in place of JSON",
    {},
    (emulator) => emulator.failNext(html),
    /answered 200 with an HTML page where JSON was expected; set deploymentUrl/,
  ],
  [
    "a key that the service refuses",
    { apiKey: KEY },
    (emulator) => Object.assign(emulator.behaviour, { apiKey: "another" }),
    /Check apiKey, authHeader and authScheme of the smoke test, or its connection/,
  ],
])("the error for %s says what is wrong", async (_, args, before, words) => {
  expect((await failureOf((await asked(before, args)).report)).message).toMatch(words);
});

test.each([
  ["only the question", [{ type: "human", content: "hello" }]],
  [
    "a later message from the user",
    [
      { type: "ai", content: "hello" },
      { type: "human", content: "hello" },
    ],
  ],
  ["no message", []],
])("a thread that ends with %s holds no answer", async (_, messages) => {
  const state = { kind: "status", status: 200, body: { values: { messages } } } as const;
  const { report } = await asked((emulator) =>
    emulator.failNext({ ...state, match: { pathPattern: /\/state$/ } }),
  );
  expect((await failureOf(report)).message).toMatch(
    /"greeting": got no answer: the run ended without a message after the question \(thread [0-9a-f-]+, run [0-9a-f-]+\)/,
  );
});

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test.each<[string, string, Properties, string]>([
  ["kept for an update in place", "id-1:3", {}, validArguments.deploymentUrl],
  ["kept for a new revision", "id-1:4", {}, validArguments.deploymentUrl],
  ["left unknown for another deployment", "id-2:3", {}, UNKNOWN],
  ["left unknown for a replacement", UNKNOWN, {}, UNKNOWN],
  ["left unknown if the program sets an address and trigger", "id-1:3", { __deployment: undefined }, UNKNOWN],
])(
  "if the deployment's address is unknown, the recorded address is %s",
  async (_what, key, args, address) => {
    const { session } = await provided();
    const olds = { ...validArguments, __deployment: true, triggers: { deployment: "id-1:3" } };
    const news = { ...olds, ...args, deploymentUrl: UNKNOWN, triggers: { deployment: key } };
    const { inputs, failures } = await smokeTest.check(session, olds, news);
    expect([inputs.deploymentUrl, failures]).toEqual([address, []]);
  },
);

test("a smoke test of a deployment without an address is refused, and the error says where to give an address", async () => {
  const { session } = await provided();
  const args = { ...validArguments, deploymentUrl: undefined, __deployment: true };
  expect((await smokeTest.check(session, undefined, args)).failures.map(faultInWords)).toEqual([
    expect.stringMatching(
      /^deployment: the service reports no address for it; set its sourceConfig\.customUrl/,
    ),
  ]);
});
