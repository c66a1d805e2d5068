import { connectionFrom, environmentOf } from "../../../provider/run/configuration";
import { environmentName } from "../../../provider/schema/naming";
import { KEY, wordsOfRefusal } from "../../support/refusedSetting";

type Settings = { readonly [key: string]: string };

function connection(settings: Settings, environment: Settings = {}, name?: string) {
  return connectionFrom((key) => settings[key], environment, name);
}

const refusal = (...of: Parameters<typeof connection>): string => wordsOfRefusal(() => connection(...of));

const base = { baseUrl: "https://host.example/api" };

test.each<[string, string | undefined]>([
  ["headers", undefined],
  ["connections", "eu"],
])("if the setting %s is a secret, all headers in it count as credentials", (key, name) => {
  const headers = { "X-Route": KEY };
  const http = { baseUrl: "http://service.example" };
  const settings: Settings = {
    ...http,
    headers: JSON.stringify(headers),
    connections: JSON.stringify({ eu: { ...http, headers } }),
  };
  const source = (secretKey: string) =>
    Object.assign((each: string) => settings[each], { isSecret: (each: string) => each === secretKey });
  const connect = (secretKey: string, environment: Settings = {}) =>
    connectionFrom(source(secretKey), environment, name);
  expect(connect("baseUrl").secrets).toEqual([]);
  expect(() => connect(key)).toThrow("http://service.example is plain http");
  // The environment's value applies, and does not count as a secret. Only a value in the stack can be secret.
  const variable = { [environmentName(key)]: settings[key] as string };
  expect(connect(key, variable).secrets).toEqual([]);
});

test("a program's setting overrides the environment's setting, but cannot lift the environment's prohibition of revisions", () => {
  const left = (key: "newRevisions" | "adopt", value: string) =>
    environmentOf((name) => ({ baseUrl: "https://service.example", [key]: "allow" })[name], true, {
      [environmentName(key)]: value,
    });
  expect(left("newRevisions", "allow")).toEqual({});
  expect(left("newRevisions", " forbid ")).toEqual({ [environmentName("newRevisions")]: " forbid " });
  expect(left("adopt", "forbid")).toEqual({});
});

test("an environment variable overrides the stack's configuration, unless the variable is blank", () => {
  expect(environmentName("requestTimeoutSeconds")).toBe("DEPLOYMENT_CONTROL_REQUEST_TIMEOUT_SECONDS");
  const environment = { DEPLOYMENT_CONTROL_API_KEY: `  ${KEY}\n`, DEPLOYMENT_CONTROL_BASE_URL: "  " };
  expect(connection({ ...base, apiKey: "old" }, environment)).toMatchObject({
    baseUrl: "https://host.example/api",
    headers: { "X-Api-Key": KEY },
  });
});

test.each([
  ["DEPLOYMENT_CONTROL_BASEURL", "DEPLOYMENT_CONTROL_BASE_URL"],
  ["DEPLOYMENT_CONTROL_APIKEY", "DEPLOYMENT_CONTROL_API_KEY"],
  ["DEPLOYMENTCONTROL_CONNECTIONS", "DEPLOYMENT_CONTROL_CONNECTIONS"],
  ["deployment_control_profile", "DEPLOYMENT_CONTROL_PROFILE"],
])("the environment variable %s is refused, and the error suggests %s", (variable, meant) => {
  for (const name of [undefined, "eu"]) {
    expect(refusal(base, { [variable]: KEY }, name)).toBe(
      `the environment variable ${variable} is set, but is not a setting; did you mean ${meant}?`,
    );
  }
});

test("an environment variable with our prefix is accepted if it resembles no setting", () => {
  const environment = { DEPLOYMENT_CONTROL_TEST_BIN: "/bin", DEPLOYMENT_CONTROL_STACK: "dev", BASE_URL: "x" };
  expect(connection(base, { ...environment, DEPLOYMENT_CONTROL_BASEURL: " " }).baseUrl).toBe(base.baseUrl);
});

test("an old Node is refused before anything is sent", () => {
  const { versions } = process;
  const runOn = (value: object) => Object.defineProperty(process, "versions", { value, configurable: true });
  runOn({ ...versions, node: "20.20.2" });
  expect(() => connectionFrom(() => undefined, {}, undefined)).toThrow(
    /^Node 22 or later is needed; this is 20\.20/,
  );
  runOn(versions);
});

test("a named connection has settings of its own, and each error about them names the connection", () => {
  const connections = JSON.stringify({
    eu: { baseUrl: "https://eu.example", apiKey: KEY, maxRetries: 1, adopt: true, headers: { "X-A": "b" } },
    open: { baseUrl: "http://eu.example", apiKey: KEY },
    typo: { baseURL: "https://eu.example" },
    empty: {},
    odd: { baseUrl: "https://eu.example", profileOverrides: { wire: { nope: "x" } } },
  });
  expect(connection({ ...base, maxRetries: "3", connections }, {}, "eu")).toMatchObject({
    name: "eu",
    baseUrl: "https://eu.example",
    headers: { "X-Api-Key": KEY, "X-A": "b" },
    maxRetries: 1,
    adopt: true,
  });
  const forbidding = { ...base, connections, newRevisions: "forbid" };
  expect(connection(forbidding, {}, "eu")).toMatchObject({ newRevisions: "forbid" });
  const of = (name: string) => refusal({ connections }, {}, name);
  expect(of("open")).toContain("connections.open.baseUrl: http://eu.example is plain http");
  expect(of("open")).toContain("set connections.open.allowInsecure to true");
  expect(of("typo")).toContain("connections.typo.baseURL: is not a setting; did you mean baseUrl?");
  expect(of("empty")).toContain(
    "connections.empty.baseUrl is not set: there is no default service. To set it, set it in the JSON of deployment-control:connections",
  );
  expect(of("odd")).toContain('connections.odd.profileOverrides.wire: "nope" is not a field');
  expect(of("us")).toBe(
    'connection: got "us"; allowed: eu, open, typo, empty, odd. Add it to the JSON of deployment-control:connections (or DEPLOYMENT_CONTROL_CONNECTIONS)',
  );
  expect(of("toString")).toContain('connection: got "toString"');
  expect(of("__proto__")).toContain('connection: got "__proto__"');
  expect(refusal({}, {}, "eu")).toContain('connection: got "eu"; none is configured');
  for (const name of ["eu", undefined])
    expect(refusal({ ...base, connections: `{"eu": "${KEY}` }, {}, name)).toBe(
      "connections: is not a JSON object",
    );
});
