import {
  type Connection,
  connectionOf,
  type RuntimeClientOptions,
  runtimeConnection,
} from "../../../provider/client/connection";
import { runtimeRows } from "../../../provider/schema/settings";
import { KEY, wordsOfRefusal } from "../../support/refusedSetting";

const origin = { name: "eu", prefix: "connections.eu.", howToSet: "give it there" };
const base = { baseUrl: "https://host.example/api" };
const connection = (settings: object): Connection => connectionOf(origin, settings);

const refusalOf = (settings: object): string => wordsOfRefusal(() => connection(settings));

test("a client of a running deployment inherits the connection's credential, headers and limits", () => {
  const settings = { apiKey: KEY, authHeader: "Authorization", authScheme: "Bearer", allowInsecure: true };
  const headers = { "X-Tenant-Id": "t" };
  expect(connection({ ...base, ...settings, headers, maxRetries: 1 }).runtime).toEqual({
    ...settings,
    headers,
    requestTimeoutSeconds: 30,
    maxRetries: 1,
    maxConcurrency: 16,
  });
  const rowsWithDefault = Object.entries(runtimeRows).filter(([, row]) => "default" in row);
  expect(connection(base).runtime).toEqual(
    Object.fromEntries(rowsWithDefault.map(([key, row]) => [key, (row as { default?: unknown }).default])),
  );
});

test.each(["https://user@host.example", `https://:${KEY}@host.example`, `https://user:${KEY}@host.example`])(
  "the address %s is refused because it contains a user name or a password",
  (baseUrl) => {
    expect(refusalOf({ baseUrl })).toBe(
      "connections.eu.baseUrl: holds a user or password; set the credential as apiKey",
    );
  },
);

test.each<[unknown, string]>([
  [`//user:${KEY}@host.example`, '"//…@host.example"'],
  [`//a@${KEY}@host.example?key=${KEY}\n${KEY}`, '"//…@host.example?…"'],
  [["https://host.example"], '["https://host.example"]'],
  [7, "7"],
  [null, "null"],
  ["", '""'],
  ["ftp://host.example", '"ftp://host.example"'],
  [`https://host.example/?key=${KEY}`, '"https://host.example/?…"'],
  ["https://host.example/#x", '"https://host.example/#x"'],
])("the error about the invalid address %j hides parts that may be a credential", (baseUrl, shown) => {
  expect(refusalOf({ baseUrl })).toBe(
    `connections.eu.baseUrl: got ${shown}; allowed: an http or https address without a query, such as https://host.example/api`,
  );
});

test.each([
  "http://127.0.0.1",
  "http://127.10.20.30:8080",
  "http://localhost",
  "http://LOCALHOST/api",
  "http://[::1]:80",
])("%s is this machine, so a credential may be sent over plain http", (baseUrl) =>
  expect(connection({ baseUrl, apiKey: KEY }).headers).toEqual({ "X-Api-Key": KEY }),
);

test.each([
  "http://127.0.0.1.example",
  "http://a127.0.0.1.example",
  "http://1.127.0.1",
  "http://localhost.example",
  "http://10.0.0.1",
  "http://0.0.0.0",
  "http://[::2]",
])("%s is another machine, so a credential needs https", (baseUrl) =>
  expect(refusalOf({ baseUrl, apiKey: KEY })).toBe(
    `connections.eu.baseUrl: ${baseUrl} is plain http, so the key could be read in transit. Use https, or set connections.eu.allowInsecure to true`,
  ),
);

const address = { deploymentUrl: "https://chat.example/api/" };
const connectionWith = (options: object) => runtimeConnection(options as RuntimeClientOptions);
const runtimeRefusalOf = (options: object): string => wordsOfRefusal(() => connectionWith(options));

test.each<[object, string]>([
  [{}, "deploymentUrl is not set: there is no default service. To set it, use the option"],
  [{ deploymentUrl: "chat" }, 'deploymentUrl: got "chat"; allowed: an http or https address without a query'],
  [{ ...address, apikey: KEY }, "apikey: is not an option; did you mean apiKey?"],
  [
    { ...address, timeout: 1 },
    `timeout: is not an option; allowed: ${Object.keys(runtimeRows).slice(0, 5).join(", ")}, `,
  ],
  [{ ...address, toString: 1 }, "toString: is not an option"],
])("the options %j are refused, and the error names the option", (options, words) => {
  expect(runtimeRefusalOf(options)).toContain(words);
});

test.each([
  [{ apiKey: KEY }],
  [{ headers: { Authorization: KEY } }],
  [{ apiKey: KEY, headers: { "X-Token": KEY } }],
])("a credential goes over plain http to another machine only if `allowInsecure` is set", (credential) => {
  const open = { deploymentUrl: "http://chat.example", ...credential };
  expect(runtimeRefusalOf(open)).toBe(
    "deploymentUrl: http://chat.example is plain http, so the key could be read in transit. Use https, or set allowInsecure to true",
  );
  expect(runtimeRefusalOf({ ...open, allowInsecure: "perhaps" })).toBe(
    'allowInsecure: got "perhaps"; allowed: true or false',
  );
  expect(Object.values(connectionWith({ ...open, allowInsecure: true }).headers)).toContain(KEY);
  expect(connectionWith({ deploymentUrl: "http://chat.example" }).headers).toEqual({});
  const routed = { deploymentUrl: "http://chat.example", headers: { "X-Route": KEY } };
  expect(Object.values(connectionWith(routed).headers)).toEqual([KEY]);
  // With `secretHeaders`, every header counts as a credential.
  expect(() => connectionWith({ ...routed, ...{ secretHeaders: true } })).toThrow("is plain http");
});
