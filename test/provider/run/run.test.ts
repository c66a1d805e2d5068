import { ConfigurationError } from "../../../provider/client/errors";
import { deployment as resource } from "../../../provider/deployment/deployment";
import { DynamicBorder } from "../../../provider/engine/dynamic";
import { EngineRun } from "../../../provider/run/run";
import { redacted } from "../../../provider/schema/secrecy";
import { UNKNOWN } from "../../../provider/schema/value";
import { chat, failureOf, provided } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

const reporter = { info: async () => {}, warn: async () => {} };

test("a run has one service for each connection, and opening a connection sends nothing", async () => {
  const connections = JSON.stringify({ eu: { baseUrl: "https://eu.example", profile: "langsmith" } });
  const { emulator, session, service } = await provided({}, { connections });
  expect(session.service(undefined)).toBe(service);
  const eu = session.service("eu");
  expect(session.service("eu")).toBe(eu);
  expect(eu).not.toBe(service);
  expect(eu.connection).toMatchObject({
    name: "eu",
    baseUrl: "https://eu.example",
    profile: { name: "langsmith" },
  });
  expect(emulator.requests).toEqual([]);
});

test("once a connection is open, its credential is masked in all messages", async () => {
  const session = new EngineRun(
    (key) => ({ baseUrl: "https://host.example", apiKey: "sk-of-the-session" })[key],
    reporter,
  );
  session.service(undefined);
  expect(redacted("the key sk-of-the-session")).toBe("the key [secret]");
});

test("a resource that the state records on another service is refused, and the error says what to do", async () => {
  const { emulator, session, service } = await provided();
  expect(session.serviceOf({ serviceUrl: emulator.url })).toBe(service);
  expect(session.serviceOf({})).toBe(service);
  const elsewhere = () => session.serviceOf({ serviceUrl: "https://elsewhere.example" });
  expect(elsewhere).toThrow(ConfigurationError);
  expect(elsewhere).toThrow(
    `lives on https://elsewhere.example, but the base URL is ${emulator.url}. Set the base URL back`,
  );
  expect(emulator.requests).toEqual([]);
});

test("a run without a base URL fails only when a resource needs a service", async () => {
  const session = new EngineRun(() => undefined, reporter);
  expect(() => session.service(undefined)).toThrow("baseUrl is not set");
});

describe("an engine that writes the state only at its end", () => {
  beforeEach(() => {
    process.env.PULUMI_SKIP_CHECKPOINTS = "1";
  });
  afterEach(() => {
    delete process.env.PULUMI_SKIP_CHECKPOINTS;
  });

  test("without a journal, a plan is refused, but a refresh or a deletion is allowed", async () => {
    const { session, emulator } = await provided({}, { journal: "off" });
    const error = await failureOf(deployment.check(session, undefined, chat));
    expect([error.constructor, error.message]).toEqual([
      ConfigurationError,
      expect.stringMatching(
        /^PULUMI_SKIP_CHECKPOINTS is set and the journal is off, .*Unset it, or set deployment-control:journal \(or DEPLOYMENT_CONTROL_JOURNAL\) to a folder$/,
      ),
    ]);
    const state = { ...chat, id: "none", serviceUrl: emulator.url };
    expect((await deployment.read(session, "none", state)).id).toBeUndefined();
    await deployment.delete(session, "none", state);
  });

  test("with a journal, a plan warns once, and names the journal's folder", async () => {
    const { session, warnings } = await provided({}, { journal: "/the/journal" });
    for (const name of ["one", "two"])
      expect((await deployment.check(session, undefined, { ...chat, name })).failures).toEqual([]);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^warn {2}PULUMI_SKIP_CHECKPOINTS is set, so only the journal in \S*the\Sjournal knows/,
      ),
    ]);
  });
});

test("a run on the embedded service shows no warning, with or without a journal", async () => {
  for (const journal of ["off", "/the/journal"]) {
    const { session, warnings } = await provided({}, { journal });
    expect((await deployment.check(session, undefined, chat)).failures).toEqual([]);
    if (journal === "off") await deployment.create(session, chat);
    expect(warnings()).toEqual([]);
  }
});

test.each<[string, { [setting: string]: string }, RegExp | undefined]>([
  [
    "the contract's profile",
    {},
    /^https:\/\/api\.host\.langchain\.com is LangSmith, but the profile is "contract".*config set deployment-control:profile langsmith/,
  ],
  ["the public service's profile", { profile: "langsmith" }, undefined],
  ["another address", { baseUrl: "https://control.example.com" }, undefined],
])("whether a plan for the public service warns of a wrong profile: %s", async (_, settings, words) => {
  const warnings: string[] = [];
  const warn = async (urn: string, message: unknown) => void (urn === "" && warnings.push(String(message)));
  const source = (key: string) =>
    ({ baseUrl: "https://api.host.langchain.com", journal: "off", ...settings })[key];
  const run = new EngineRun(source, { ...reporter, warn });
  const border = new DynamicBorder(resource, () => run);
  await border.check({}, chat);
  await border.check({}, chat);
  expect(warnings).toEqual(words === undefined ? [] : [expect.stringMatching(words)]);
});

test("if a host answers an up as the public service does, the run warns once and sends no extra request", async () => {
  const warned = async (settings: { [setting: string]: string }) => {
    const { session, warnings, sent } = await provided({ profile: "langsmith" }, settings);
    const image = { sourceConfig: {}, sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } };
    for (const name of ["one", "two"])
      await deployment.create(session, { ...chat, ...image, name, source: "external_docker" });
    return { warnings: warnings(), posts: sent().filter((request) => request.startsWith("POST")).length };
  };
  const { warnings, posts } = await warned({ profile: "contract" });
  expect(warnings).toEqual([
    expect.stringMatching(
      /^warn {2}http:\S+ answers as LangSmith does, with source_revision_config\.langgraph_config_path, but the profile is "contract".*config set deployment-control:profile langsmith/,
    ),
  ]);
  expect(posts).toBe(2);
  expect((await warned({ profile: "langsmith" })).warnings).toEqual([]);
});

test("a connection reaches the same service under another name only if base URL and headers are the same", () => {
  const here = { baseUrl: "https://here.example", apiKey: "key" };
  const connections = {
    one: here,
    uno: { ...here, profile: "langsmith" },
    team: { ...here, headers: { "X-Tenant-Id": "red" } },
    far: { ...here, baseUrl: "https://far.example" },
  };
  const settings: { [key: string]: string } = { ...here, connections: JSON.stringify(connections) };
  const session = new EngineRun((key) => settings[key], reporter);
  const from = (connection: string | undefined, serviceUrl?: string) =>
    ["one", "uno", "team", "far", undefined, UNKNOWN].filter((name) =>
      session.staysOnService({ connection, serviceUrl }, name),
    );
  expect(from("one", here.baseUrl)).toEqual(["one", "uno", undefined]);
  expect(from(undefined, here.baseUrl)).toEqual(["one", "uno", undefined]);
  expect(from("gone", here.baseUrl)).toEqual(["one", "uno", "team", undefined]);
  // The former name now belongs to another service, so it tells nothing about the headers.
  expect(from("far", here.baseUrl)).toEqual(["one", "uno", "team", "far", undefined]);
  expect(from("one")).toEqual(["one"]);
});
