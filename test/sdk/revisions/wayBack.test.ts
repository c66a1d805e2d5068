/** Tests the list of a deployment's revisions, and the rollback to a revision, over HTTP. */
import type { Properties } from "../../../provider/schema/value";
import type { Emulator } from "../../../sdk/emulator/index";
import { deploymentsIn } from "../../../sdk/recover/state";
import { deploymentNamed, type History, historyOf } from "../../../sdk/revisions/history";
import { remainsLines } from "../../../sdk/revisions/proposal";
import { REVISION_FORMATS } from "../../../sdk/revisions/show";
import { changesFor, keyValueFor, remainsOf, targetOf } from "../../../sdk/revisions/wayBack";
import { agent, ask, created, started } from "../../support/embeddedService";
import { URN } from "../../support/providerRun";
import { type Export, pendingExport, urnOf } from "../../support/recover/pendingExport";

const args = {
  name: "agent",
  source: "repohost",
  sourceConfig: { repoUrl: "https://repohost.example.test/acme/agent", buildOnPush: true },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
  secrets: { A: "one-of-the-secrets", B: "two-of-the-secrets" },
};

const stateOf = (emulator: Emulator, resources: Export["resources"]): string =>
  pendingExport({ settings: { baseUrl: emulator.url }, pending: [], ...(resources && { resources }) });

/** The history of the deployment, if the state records these outputs for the deployment. */
async function historyWith(emulator: Emulator, id: string, outputs: Properties): Promise<History> {
  const recorded = { ...args, ...outputs, serviceUrl: emulator.url };
  const text = stateOf(emulator, [{ id, inputs: args, outputs: recorded }]);
  return historyOf(deploymentNamed("chat", deploymentsIn({ text, name: "the export" })), {});
}

const patch = (emulator: Emulator, id: string, config: object) =>
  ask(emulator, "PATCH", `/v2/deployments/${id}`, { source_revision_config: config });

/** A deployment that moved from the branch main to a tag, and then to a new graph file. */
async function threeRevisions() {
  const emulator = await started();
  const { id } = await created(emulator, agent);
  await patch(emulator, id, { repo_ref: "refs/tags/v1" });
  await patch(emulator, id, { graph_config_path: "other.json" });
  emulator.requests.length = 0;
  const [third, second, first] = emulator.deployments()[0]?.revisions ?? [];
  const historyOn = (outputs: Properties) => historyWith(emulator, id, outputs);
  return { emulator, id, first, second, third, historyOn };
}

const now = { sourceRevisionConfig: { repoRef: "refs/tags/v1", graphConfigPath: "other.json" } };

test("the history shows each revision's changes, marks the serving and the last good revision, and needs only GET requests", async () => {
  const { emulator, id, first, third, historyOn } = await threeRevisions();
  const history = await historyOn({ lastGood: first?.id });
  expect(history.revisions.map(({ changes }) => changes.map(({ path }) => path))).toEqual([
    ["sourceRevisionConfig.graphConfigPath", "sourceRevisionConfig.repoCommitSha"],
    ["sourceRevisionConfig.repoRef", "sourceRevisionConfig.repoCommitSha"],
    [],
  ]);
  expect(history.revisions.map(({ serves, provedItself }) => [serves, provedItself])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  const json = JSON.parse(REVISION_FORMATS.json(history));
  expect(json).toMatchObject({ schemaVersion: 1, urn: URN, name: "chat", id });
  expect(json.revisions[0]).toMatchObject({ id: third?.id, status: "DEPLOYED", serves: true, reason: null });
  expect(REVISION_FORMATS.text(history)).toContain("  sourceRevisionConfig.repoRef: main -> refs/tags/v1\n");
});

test("a rollback names each argument to change, and also the commit and the hidden arguments that it cannot bring back", async () => {
  const { first, second, historyOn } = await threeRevisions();
  const history = await historyOn(now);
  const toFirst = targetOf(history, first?.id as string);
  expect(changesFor(toFirst, now)).toMatchObject([
    { path: "sourceRevisionConfig.repoRef", before: "refs/tags/v1", after: "main" },
    { path: "sourceRevisionConfig.graphConfigPath", before: "other.json", after: "graph.json" },
  ]);
  const lines = remainsLines(remainsOf(toFirst, history));
  expect(lines[0]).toBe(
    "not brought back: sourceConfig.repoUrl, sourceConfig.buildOnPush, secrets.A, secrets.B, which the service does not show for that revision: the program's values stay",
  );
  expect(lines[1]).toContain("the new revision is built from the commit that its ref names then");
  const toSecond = targetOf(history, String(second?.id).toUpperCase());
  expect(toSecond.stepsBack).toBe(1);
  // A tag does not move, so no line names a commit.
  expect(remainsLines(remainsOf(toSecond, history))).toHaveLength(1);
});

test("if the newest revision is the last good one, a rollback to `last-good` is refused", async () => {
  const { second, third, historyOn } = await threeRevisions();
  const good = { rolloutState: "deployed", latestRevisionStatus: "DEPLOYED" };
  const outputs = { ...now, ...good, latestRevisionId: third?.id };
  const history = await historyOn(outputs);
  expect(() => targetOf(history, "last-good")).toThrow(
    "the newest revision is the last good one by its status: set --to to an id; `deployment-control revisions chat` lists them",
  );
  // The state can contradict the status, for instance after a wrong answer to a verification.
  const proven = await historyOn({ ...outputs, lastGood: second?.id });
  expect(targetOf(proven, "last-good").revision.id).toBe(second?.id);
});

test("a rollback changes no setting that the recorded revision shares with the target, however the program spells the setting", async () => {
  const { second, historyOn } = await threeRevisions();
  const program = { sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "other.json" } };
  const history = await historyOn({
    ...program,
    observed: { sourceRevisionConfig: { repoRef: "refs/tags/v1" } },
  });
  const target = targetOf(history, second?.id as string);
  expect(changesFor(target, program)).toMatchObject([{ path: "sourceRevisionConfig.graphConfigPath" }]);
});

test("a rollback to a revision with a different source changes revisionSource if the program manages it, and otherwise names the source", async () => {
  const emulator = await started();
  const { id } = await created(emulator, agent);
  const tarball = { source_tarball_path: "agent-1.tar" };
  const change = { revision_source: "internal_source", source_revision_config: tarball };
  expect((await ask(emulator, "PATCH", `/v2/deployments/${id}`, change)).status).toBe(200);
  await patch(emulator, id, { repo_ref: "refs/tags/v1" });
  const [ofRepo, ofTarball] = emulator.deployments()[0]?.revisions ?? [];
  expect([ofRepo?.source, ofTarball?.source]).toEqual(["repohost", "internal_source"]);

  const plain = { source: "repohost", ...now };
  const sourceChange = async (managed: Properties, to: unknown) => {
    const args = { ...plain, ...managed };
    const history = await historyWith(emulator, id, args);
    const target = targetOf(history, to as string);
    const changes = changesFor(target, args).filter(({ path }) => path === "revisionSource");
    const lines = remainsLines(remainsOf(target, history));
    return {
      changes: changes.map(({ before, after }) => [before, after]),
      named: lines.filter((line) => line.includes("source ")),
    };
  };
  const docker = { revisionSource: "internal_docker" };
  expect(await sourceChange(docker, ofTarball?.id)).toEqual({
    changes: [["internal_docker", "internal_source"]],
    named: [],
  });
  expect(await sourceChange(docker, ofRepo?.id)).toEqual({
    changes: [["internal_docker", undefined]],
    named: [],
  });
  for (const revisionSource of ["repohost", undefined])
    expect(await sourceChange({ revisionSource }, ofRepo?.id)).toEqual({ changes: [], named: [] });
  expect(await sourceChange({}, ofTarball?.id)).toEqual({
    changes: [],
    named: [
      "not brought back: the source internal_source, from which that revision was built; the program sets it with revisionSource",
    ],
  });
});

test("a value that the program marks secret is masked in every format", async () => {
  const { first, historyOn } = await threeRevisions();
  const history = await historyOn({});
  const hiding = { ...history, hidden: (path: string) => path === "sourceRevisionConfig.repoRef" };
  for (const show of Object.values(REVISION_FORMATS)) {
    expect(show(hiding)).toContain("[secret]");
    expect(show(hiding)).not.toContain("refs/tags/v1");
  }
  expect(targetOf(hiding, first?.id as string).settings.repoRef).toBe("main");
});

test("for an ambiguous name, the error asks for the URN; for a misspelled name, the error suggests the nearest name; for an unknown revision, the error names the command that lists the revisions", async () => {
  const { emulator, id, historyOn } = await threeRevisions();
  const inComponent = URN.replace("::pulumi-nodejs:", "::my:Team$pulumi-nodejs:");
  const both = [URN, inComponent, urnOf("search")].map((urn) => ({ urn, id, inputs: args, outputs: args }));
  const deployments = deploymentsIn({ text: stateOf(emulator, both), name: "the export" });
  expect(() => deploymentNamed("chat", deployments)).toThrow(`${URN}, ${inComponent}`);
  expect(deploymentNamed(inComponent, deployments).urn).toBe(inComponent);
  expect(() => deploymentNamed("serch", deployments)).toThrow("did you mean search?");
  const history = await historyOn({ lastGood: "gone" });
  expect(() => targetOf(history, "no-such-id")).toThrow("`deployment-control revisions chat` lists them");
  expect(() => targetOf(history, "last-good")).toThrow('the service has no revision gone of "chat"');
});

test("if the service does not show a revision's settings, the rollback to the revision is refused", async () => {
  const { first, historyOn } = await threeRevisions();
  const history = await historyOn({});
  const silent = history.revisions.map((revision) => ({ ...revision, settings: undefined }));
  expect(() => targetOf({ ...history, revisions: silent }, first?.id as string)).toThrow(
    "does not show the settings",
  );
});

test.each<[string, string, unknown, unknown, string | undefined]>([
  ["the whole argument", "a:1", "a:1", "b:2", "b:2"],
  ["the tag of an image", "1.1", "registry.example/chat:1.1", "registry.example/chat:1.0", "1.0"],
  ["twice in the argument, and the last place changes", "1", "registry1/chat:1", "registry1/chat:7", "7"],
  ["a part in the middle", "chat", "registry.example/chat:1", "registry.example/search:1", "search"],
  ["not a part of the argument", "2.0", "registry.example/chat:1.1", "registry.example/chat:1.0", undefined],
  [
    "a part of the argument, but the rest of the argument changes too",
    "1.1",
    "registry.example/chat:1.1",
    "other.example/chat:1.0",
    undefined,
  ],
  ["a part that would become empty", "-slim", "chat:1-slim", "chat:1", undefined],
  ["a part between two ends that overlap in the new argument", "aba", "xabax", "x", undefined],
  ["empty", "", "chat:1", "chat:2", undefined],
  ["set, but the argument has no value now", "1", undefined, "1", undefined],
  ["set, but the rollback removes the argument", "main", "main", undefined, undefined],
])(
  "keyValueFor returns a key's new value, or undefined if there is none; the key's current value is %s",
  (_title, current, before, after, value) => {
    expect(keyValueFor(current, before, after)).toBe(value);
  },
);
