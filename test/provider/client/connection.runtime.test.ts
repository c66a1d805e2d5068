import { type RuntimeClientOptions, runtimeConnection } from "../../../provider/client/connection";
import { runtimeRows } from "../../../provider/fields/settings";
import { turnedClock } from "../../support/httpServer";
import { KEY, wordsOfRefusal } from "../../support/refusedSetting";

const address = { deploymentUrl: "https://chat.example/api/" };
const chosen = (options: object) => runtimeConnection(options as RuntimeClientOptions);
const refusalOf = (options: object): string => wordsOfRefusal(() => chosen(options));

test("an omitted option has its default", () => {
  expect(chosen(address)).toEqual({
    baseUrl: "https://chat.example/api",
    headers: {},
    requestTimeoutSeconds: 30,
    maxRetries: 4,
    maxConcurrency: 16,
    addressQuestion: "is deploymentUrl that of a running deployment?",
  });
});

test("every option is accepted", () => {
  const clock = turnedClock();
  const options: Required<RuntimeClientOptions> = {
    deploymentUrl: "http://chat.example",
    apiKey: KEY,
    authHeader: "Authorization",
    authScheme: "Bearer",
    headers: { "X-Tenant-Id": "t", authorization: "other" },
    requestTimeoutSeconds: 2.5,
    maxRetries: 0,
    maxConcurrency: 1,
    allowInsecure: true,
    clock,
  };
  expect(chosen(options)).toMatchObject({
    baseUrl: "http://chat.example",
    headers: { Authorization: `Bearer ${KEY}`, "X-Tenant-Id": "t" },
    requestTimeoutSeconds: 2.5,
    maxRetries: 0,
    maxConcurrency: 1,
    clock,
  });
  expect(chosen(options).headers).not.toHaveProperty("authorization");
});

test.each<[object, string]>([
  [{}, "deploymentUrl is not set: there is no default service. To set it, give it as an option"],
  [{ deploymentUrl: "chat" }, 'deploymentUrl: got "chat"; allowed: an http or https address without query'],
  [{ ...address, apikey: KEY }, "apikey: is not an option; did you mean apiKey?"],
  [
    { ...address, timeout: 1 },
    `timeout: is not an option; allowed: ${[...Object.keys(runtimeRows), "clock"].join(", ")}`,
  ],
  [{ ...address, toString: 1 }, "toString: is not an option"],
])("the options %j are refused by name", (options, words) => {
  expect(refusalOf(options)).toContain(words);
});

test.each([
  [{ apiKey: KEY }],
  [{ headers: { Authorization: KEY } }],
  [{ apiKey: KEY, headers: { "X-Token": KEY } }],
])("no credential goes over plain http to another machine unless that is allowed", (credential) => {
  const open = { deploymentUrl: "http://chat.example", ...credential };
  expect(refusalOf(open)).toBe(
    "deploymentUrl: http://chat.example is plain http, over which the key could be read on its way. Use https, or set allowInsecure to true",
  );
  expect(refusalOf({ ...open, allowInsecure: "perhaps" })).toBe(
    'allowInsecure: got "perhaps"; allowed: true or false',
  );
  expect(Object.values(chosen({ ...open, allowInsecure: true }).headers)).toContain(KEY);
  expect(chosen({ deploymentUrl: "http://chat.example" }).headers).toEqual({});
  const routed = { deploymentUrl: "http://chat.example", headers: { "X-Route": KEY } };
  expect(Object.values(chosen(routed).headers)).toEqual([KEY]);
  // A connection whose setting is a secret says so.
  expect(() => chosen({ ...routed, ...{ secretHeaders: true } })).toThrow("is plain http");
});
