import { ConfigurationError } from "../../../provider/client/errors";
import { deployment as resource } from "../../../provider/deployment/deployment";
import { DynamicBorder } from "../../../provider/engine/dynamic";
import type { UnfinishedError } from "../../../provider/failure";
import { listener as listenerResource } from "../../../provider/listener";
import { EngineRun } from "../../../provider/run/run";
import { redacted } from "../../../provider/schema/secrecy";
import { UNKNOWN } from "../../../provider/schema/value";
import { chat, failureOf, provided, sessionOn } from "../../support/providerRun";
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

describe("an engine that writes the state only at the end of the run", () => {
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

const NOT_SET = /profile: is not set, but \S+ is LangSmith: set profile to "langsmith", or to "contract"/;

test.each<[string, { [setting: string]: string }, boolean]>([
  ["the public service", { baseUrl: "https://api.host.langchain.com" }, true],
  ["the public service in another region", { baseUrl: "https://eu.api.host.langchain.com/" }, true],
  ["a self-hosted installation", { baseUrl: "https://smith.example.com/api-host" }, true],
  [
    "the public service, with its profile",
    { baseUrl: "https://api.host.langchain.com", profile: "langsmith" },
    false,
  ],
  [
    "a self-hosted installation whose profile is set",
    { baseUrl: "https://x.example/api-host", profile: "contract" },
    false,
  ],
  ["another address", { baseUrl: "https://control.example.com" }, false],
  ["an address that only looks similar", { baseUrl: "https://langchain.com.example/x/api-hosts" }, false],
])(
  "a preview is refused if the base URL needs a profile that is not set: %s",
  async (_, settings, isRefused) => {
    const warnings: unknown[] = [];
    const warn = async (_urn: string, words: unknown) => void warnings.push(words);
    const run = new EngineRun((key) => ({ journal: "off", ...settings })[key], { ...reporter, warn });
    const checked = new DynamicBorder(resource, () => run).check({}, chat);
    if (isRefused) await expect(checked).rejects.toThrow(NOT_SET);
    else await checked;
    const cluster = { __urn: "urn:cluster", computeType: "k8s", computeId: "cluster-1" };
    const ofListener = () => new DynamicBorder(listenerResource, () => run).check({}, cluster);
    if (isRefused) await expect(ofListener()).rejects.toThrow(NOT_SET);
    expect(warnings).toEqual([]);
  },
);

const unset = { profile: undefined } as never;
const IMAGE = { sourceConfig: {}, sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } };
const external = { ...chat, ...IMAGE, source: "external_docker" };

test("if an answer of the service shows that the default profile does not fit, the run sends no write", async () => {
  const { emulator, session, sent } = await provided({ profile: "langsmith" }, unset);
  emulator.seed(1);
  await expect(deployment.create(session, external)).rejects.toThrow(NOT_SET);
  expect(sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("an update in place is refused before it is sent if the default profile does not fit the service", async () => {
  const { emulator, session } = await provided({ profile: "langsmith" }, { profile: "langsmith" });
  const inputs = { ...external, rollout: { wait: false } };
  const { id, outputs } = await deployment.create(session, inputs);
  const { session: misfit, sent } = sessionOn(emulator, unset);
  sent();
  const scaled = { ...inputs, sourceConfig: { resourceSpec: { minScale: 2 } } };
  await expect(deployment.update(misfit, id, outputs, scaled)).rejects.toThrow(NOT_SET);
  expect(sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("if only the answer to a creation shows the wrong profile, the creation fails, the deployment stays in the state, and the next run is refused", async () => {
  const rollout = { wait: false };
  const { emulator, session, sent } = await provided({ profile: "langsmith" }, unset);
  const failure = await failureOf<UnfinishedError>(deployment.create(session, { ...external, rollout }));
  expect(failure.message).toMatch(NOT_SET);
  expect(failure.properties).toMatchObject({ rolloutState: "unfinished", name: chat.name });
  sent();
  const next = sessionOn(emulator, unset);
  const update = deployment.update(next.session, failure.id, failure.properties as never, external);
  await expect(update).rejects.toThrow(NOT_SET);
  expect(next.sent().filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("a preview is refused if an answer shows that the service needs another profile, unless the configuration sets a profile", async () => {
  const { emulator, session } = await provided({ profile: "langsmith" }, unset);
  const [id = ""] = emulator.seed(1);
  const args = { ...chat, ...IMAGE, name: "seed-0001", source: "internal_docker", adopt: id };
  const check = (run: EngineRun) => new DynamicBorder(resource, () => run).check({}, args);
  await expect(check(session)).rejects.toThrow(NOT_SET);
  const { warnings, session: set } = sessionOn(emulator, { profile: "contract" });
  await check(set);
  expect(warnings().filter((words) => words.includes("profile"))).toEqual([]);
});

test("a connection reaches the same service under another name only if the base URL and the headers are the same", () => {
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
  // The former name now belongs to another service, so the name says nothing about the headers.
  expect(from("far", here.baseUrl)).toEqual(["one", "uno", "team", "far", undefined]);
  expect(from("one")).toEqual(["one"]);
});
