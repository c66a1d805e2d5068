import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { RefusedError } from "../../../../provider/failure";
import { heldRequests, started } from "../../../support/embeddedService";
import {
  entriesIn,
  entryFiles,
  journalFolder,
  killedRun,
  nextRun,
  until,
  untilRead,
} from "../../../support/interruptedRun";
import { chat, failureOf, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const POST = { method: "POST" } as const;
const bare = { ...chat, secrets: undefined, secretGenerations: undefined };
const writes = (emulator: { requests: { method: string }[] }) =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

test("the next run takes over a killed run's deployment, and reports its id and the reason", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, bare);
  const { session, warnings } = nextRun(emulator, journal);
  const { id, outputs } = await createDeployment(session, bare);
  expect(emulator.deployments().map((each) => each.id)).toEqual([id]);
  expect(outputs).toMatchObject({ rolloutState: "deployed", latestRevisionStatus: "DEPLOYED", name: "chat" });
  expect(warnings()).toEqual([
    expect.stringContaining(`takes over ${id}, which an interrupted run made: it is the only one`),
  ]);
  expect(writes(emulator)).toEqual([]);
  expect(entriesIn(journal)[0].id).toBe(id);
});

test("if a run is killed after the answer, the next run finds the deployment by its id", async () => {
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds: 60 })];
  await killedRun(emulator, journal, bare);
  await until(() => entriesIn(journal)[0]?.id !== undefined);
  expect(entriesIn(journal)[0].id).toBe(emulator.deployments()[0]?.id);
  const { session, warnings } = nextRun(emulator, journal);
  const { id, outputs } = await createDeployment(session, bare);
  expect(emulator.deployments().map((each) => each.id)).toEqual([id]);
  expect(outputs.rolloutState).toBe("deployed");
  expect(warnings()[0]).toContain("its answer had come");
});

test.each(["drop-after", "drop-before"] as const)(
  "%s: a run with a secret name is recovered by the name in the program",
  async (kind) => {
    const [journal, emulator] = [journalFolder(), await started()];
    const hidden = { ...bare, __secrets: ["name"], name: "hidden-name" };
    emulator.failNext({ kind, match: POST });
    await killedRun(emulator, journal, hidden);
    const { session } = nextRun(emulator, journal);
    const { id, outputs } = await createDeployment(session, hidden);
    expect(emulator.deployments()).toMatchObject([{ id, name: "hidden-name" }]);
    expect(outputs.rolloutState).toBe("deployed");
    expect(writes(emulator)).toEqual(kind === "drop-after" ? [] : ["POST"]);
  },
);

test("later changes of the program are sent after the take-over", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, bare);
  const { session } = nextRun(emulator, journal);
  await createDeployment(session, { ...bare, sourceRevisionConfig: { repoRef: "next" } });
  expect(emulator.deployments().map((each) => each.source_revision_config.repo_ref)).toEqual(["next"]);
  expect(writes(emulator)).toEqual(["PATCH"]);
});

test("the next run waits for a request that arrives late", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: POST });
  await killedRun(emulator, journal, bare);
  expect(emulator.deployments()).toEqual([]);
  const { session, told } = nextRun(emulator, journal);
  const creating = createDeployment(session, bare);
  await untilRead(emulator);
  release();
  const { id } = await creating;
  expect(emulator.deployments().map((each) => each.id)).toEqual([id]);
  expect(told[0]).toContain("its request may still arrive: waiting 40 s at most");
});

test("a request is sent again only once it can no longer arrive", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-before", match: POST });
  await killedRun(emulator, journal, bare);
  const [interrupted] = entriesIn(journal);
  const { session } = nextRun(emulator, journal);
  await createDeployment(session, bare);
  expect(interrupted.overAt - interrupted.sentAt).toBe(40_000);
  expect(entriesIn(journal)[0].sentAt).toBeGreaterThanOrEqual(interrupted.overAt);
  expect(emulator.deployments()).toHaveLength(1);
  expect(writes(emulator)).toEqual(["POST"]);
});

test("if two deployments have appeared, the run chooses neither, names both ids and sends nothing", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, bare);
  const [id = ""] = emulator.seed(1);
  emulator.change(id, { name: "chat" });
  const { session } = nextRun(emulator, journal);
  const error = await failureOf(createDeployment(session, bare));
  expect(error).toBeInstanceOf(RefusedError);
  for (const each of emulator.deployments()) expect(error.message).toContain(each.id);
  expect(writes(emulator)).toEqual([]);
});

const AN_HOUR = 3_600_000;
test.each([
  ["its source_config", { source_config: { build_on_push: false } }],
  ["its source_revision_config", { source_revision_config: { repo_ref: "other" } }],
  ["its source is", { source: "internal_source" }],
  ["its secrets", { secrets: [{ name: "OTHER", value: "x" }] }],
  ["created before", { created_at: new Date(Date.now() - AN_HOUR).toISOString() }],
  ["could no longer arrive", { created_at: new Date(Date.now() + AN_HOUR).toISOString() }],
])(
  "%s: a deployment that is not provably the run's own is refused, with the id and the remedy",
  async (why, change) => {
    const [journal, emulator] = [journalFolder(), await started()];
    emulator.failNext({ kind: "drop-before", match: POST });
    await killedRun(emulator, journal, chat);
    await createDeployment(sessionOn(emulator).session, { ...chat, __urn: `${URN}-of-another` });
    const id = emulator.deployments()[0]?.id as string;
    emulator.change(id, change);
    const { session } = nextRun(emulator, journal);
    const error = await failureOf(createDeployment(session, chat));
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toContain(why);
    expect(error.message).toContain(`set adopt: "${id}"`);
    expect(error.message).toContain(entryFiles(journal)[0]);
    expect(writes(emulator)).toEqual([]);
  },
);

test("a deployment of another stack on this machine is refused, even after that stack's entry is closed", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-before", match: POST });
  await killedRun(emulator, journal, bare);
  const other = sessionOn(emulator, { journal }, sharedClock());
  const urn = URN.replace("dev", "prod");
  const { id, outputs } = await createDeployment(other.session, { ...bare, __urn: urn });
  for (const _ of ["open", "closed"]) {
    const { session } = nextRun(emulator, journal);
    const error = await failureOf(createDeployment(session, bare));
    expect(error.message).toContain("another stack on this machine has made it");
    await deployment.diff(other.session, id, outputs, { ...bare, __urn: urn }, false);
    await other.session.creations.openEntry({ urn, serviceUrl: emulator.url });
  }
  expect(emulator.deployments()).toHaveLength(1);
});

test("adopting the id that was refused ends the doubt", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-before", match: POST });
  await killedRun(emulator, journal, bare);
  await createDeployment(sessionOn(emulator).session, { ...bare, sourceConfig: { buildOnPush: false } });
  const id = emulator.deployments()[0]?.id;
  const { session } = nextRun(emulator, journal);
  const created = await createDeployment(session, { ...bare, adopt: id });
  expect(created.id).toBe(id);
  expect(entryFiles(journal)).toEqual([]);
});

test("if the program renames the deployment before the recovery, the error names the deployment that was made", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, bare);
  const { session } = nextRun(emulator, journal);
  const error = await failureOf(createDeployment(session, { ...bare, name: "renamed" }));
  expect(error.message).toContain(emulator.deployments()[0]?.id);
  expect(error.message).toContain("Set the name back for one up");
  expect(writes(emulator)).toEqual([]);
});

test("a change of a fixed argument is refused; once it is undone, the deployment is taken over", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, bare);
  const changed = { ...bare, source: "internal_source" };
  const error = await failureOf(createDeployment(nextRun(emulator, journal).session, changed));
  expect(error.message).toContain("differs in what cannot be changed: source");
  const { id } = await createDeployment(nextRun(emulator, journal).session, bare);
  expect(emulator.deployments().map((each) => each.id)).toEqual([id]);
});

test("a deployment that was made and then deleted is made again", async () => {
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds: 60 })];
  await killedRun(emulator, journal, bare);
  await until(() => entriesIn(journal)[0]?.id !== undefined);
  const id = emulator.deployments()[0]?.id as string;
  emulator.remove(id);
  const { session, told } = nextRun(emulator, journal);
  const created = await createDeployment(session, bare);
  expect(created.id).not.toBe(id);
  expect(told[0]).toContain(`an earlier run made ${id}, which the service no longer has`);
});

test("if the journal's entry is too old, its deployment can only be adopted", async () => {
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds: 60 })];
  await killedRun(emulator, journal, bare);
  await until(() => entriesIn(journal)[0]?.id !== undefined);
  const [file = ""] = entryFiles(journal);
  const [entry] = entriesIn(journal);
  writeFileSync(file, JSON.stringify({ ...entry, sentAt: entry.sentAt - 31 * 24 * AN_HOUR }));
  const error = await failureOf(createDeployment(nextRun(emulator, journal).session, bare));
  expect(error.message).toContain(`set adopt: "${entry.id}"`);
});

test("a deployment that is being replaced is not mistaken for its successor", async () => {
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds: 60 })];
  await killedRun(emulator, journal, bare);
  const old = emulator.deployments()[0]?.id as string;
  const { session } = nextRun(emulator, journal);
  session.service(undefined).fleet.replaces(URN, old);
  const { id } = await createDeployment(session, { ...bare, name: "successor" });
  expect(id).not.toBe(old);
});

const broken: [string, (text: string) => string | Buffer][] = [
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, 40)],
  ["not text", () => Buffer.from([0, 255, 1, 254])],
  ["of another shape", () => '{"version":1,"token":7}'],
  ["of another version", (text) => text.replace('"version": 1', '"version": 2')],
  ["about another resource", (text) => text.replace("::chat", "::other")],
];

test.each(broken)(
  "a journal file that is %s is named in the error, and leaves the creation in doubt",
  async (_what, breaking) => {
    const [journal, emulator] = [journalFolder(), await started()];
    emulator.failNext({ kind: "drop-after", match: POST });
    await killedRun(emulator, journal, bare);
    const [file = ""] = entryFiles(journal);
    writeFileSync(file, breaking(readFileSync(file, "utf8")));
    const first = nextRun(emulator, journal);
    const error = await failureOf(createDeployment(first.session, bare));
    const id = emulator.deployments()[0]?.id as string;
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toContain(id);
    expect(first.warnings()[0]).toContain(`${file} cannot be read`);
    emulator.remove(id);
    const { mtimeMs } = statSync(file);
    const { session } = nextRun(emulator, journal);
    await createDeployment(session, bare);
    expect(entriesIn(journal)[0].sentAt).toBeGreaterThanOrEqual(Math.floor(mtimeMs) + 40_000);
    expect(emulator.deployments()).toHaveLength(1);
  },
);

const strange: [string, string, (file: string) => unknown][] = [
  ["is a folder", "it is not a regular file", (file) => mkdirSync(file)],
  [
    "is larger than 1 MB",
    "it is larger than 1 MB",
    (file) => writeFileSync(file, " ".repeat(1024 * 1024 + 1)),
  ],
];

const aLink: typeof strange = [
  ["is a symbolic link", "ELOOP", (file) => symlinkSync(`${file}.elsewhere`, file)],
];
// Windows follows a link, and lets few make one.
const possible = process.platform === "win32" ? strange : [...strange, ...aLink];

test.each(possible)(
  "a creation whose entry %s is looked up, and not sent twice",
  async (_what, reason, make) => {
    const [journal, emulator] = [journalFolder(), await started()];
    emulator.failNext({ kind: "drop-after", match: POST });
    await killedRun(emulator, journal, bare);
    const [file = ""] = entryFiles(journal);
    renameSync(file, `${file}.elsewhere`);
    make(file);
    const { session, warnings } = nextRun(emulator, journal);
    const error = await failureOf(createDeployment(session, bare));
    expect(error.message).toContain(`what it made is not certain (id ${emulator.deployments()[0]?.id})`);
    expect(warnings()).toEqual([expect.stringContaining(`${file} cannot be read: ${reason}`)]);
    expect(emulator.deployments()).toHaveLength(1);
  },
);

test("a folder where the entry's file should be is a warning, not a crash", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  emulator.failNext({ kind: "status", status: 422, match: POST });
  await killedRun(emulator, journal, bare);
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, { ...bare, __urn: `${URN}-2`, name: "two" });
  const [file = ""] = entryFiles(journal);
  mkdirSync(path.join(path.dirname(file), "folder.json"));
  const { session } = nextRun(emulator, journal);
  await createDeployment(session, { ...bare, __urn: `${URN}-2`, name: "two" });
  expect(emulator.deployments()).toHaveLength(1);
});

test("if two stacks create one name at once, neither adopts silently, whichever answer is lost", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const [one, other] = [nextRun(emulator, journal), nextRun(emulator, journal)];
  await one.service.directory.named("chat");
  await other.service.directory.named("chat");
  emulator.failNext({ kind: "drop-before", match: POST });
  const ends = await Promise.allSettled([
    createDeployment(one.session, bare),
    createDeployment(other.session, { ...bare, __urn: URN.replace("dev", "prod") }),
  ]);
  const [failed] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(failed.message).toMatch(/run up again|another stack on this machine has made it/);
  expect(emulator.deployments()).toHaveLength(1);
  const lost = ends[0]?.status === "rejected" ? bare : { ...bare, __urn: URN.replace("dev", "prod") };
  const refused = await failureOf(createDeployment(nextRun(emulator, journal).session, lost));
  expect(refused).toBeInstanceOf(RefusedError);
  expect(emulator.deployments()).toHaveLength(1);
  expect(refused.message).toContain(emulator.deployments()[0]?.id as string);
});
