import { readFileSync, writeFileSync } from "node:fs";
import { RefusedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import { heldRequests, started } from "../../../support/embeddedService";
import {
  attemptFiles,
  attemptsIn,
  bare,
  journalFolder,
  killedRun,
  nextRun,
  until,
  untilRead,
} from "../../../support/interruptedRun";
import { chat, failureOf, sessionOn, URN } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";

const POST = { method: "POST" } as const;

/** Kills a run while it creates a deployment. `lost` says what is lost before the kill. */
async function interrupted(lost: "request" | "answer" | "neither", inputs: Properties = bare) {
  const revisionSeconds = lost === "neither" ? 60 : 0;
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds })];
  if (lost !== "neither")
    emulator.failNext({ kind: lost === "answer" ? "drop-after" : "drop-before", match: POST });
  await killedRun(emulator, journal, inputs);
  if (lost === "neither") await until(() => attemptsIn(journal)[0]?.answer !== undefined);
  return {
    journal,
    emulator,
    id: emulator.deployments()[0]?.id as string,
    next: () => {
      const run = nextRun(emulator, journal);
      return { ...run, create: (args: Properties = bare) => createDeployment(run.session, args) };
    },
    ids: () => emulator.deployments().map((each) => each.id),
    writes: () => emulator.requests.map(({ method }) => method).filter((method) => method !== "GET"),
  };
}

test("the next run takes over a killed run's deployment, and reports the id and the reason", async () => {
  const { journal, next, ids, writes } = await interrupted("answer");
  const { create, warnings } = next();
  const { id, outputs } = await create();
  expect(ids()).toEqual([id]);
  expect(outputs).toMatchObject({ rolloutState: "deployed", latestRevisionStatus: "DEPLOYED", name: "chat" });
  expect(warnings()).toEqual([
    expect.stringContaining(
      `takes over ${id}, which an interrupted creation made: since then no other has appeared`,
    ),
  ]);
  expect(writes()).toEqual([]);
  expect(attemptsIn(journal)[0].answer).toBe(id);
});

test("if the program renames a resource whose creation was killed, the run sends nothing, and the error says when to run again", async () => {
  const { next, ids, writes } = await interrupted("request");
  const { create } = next();
  const { message } = await failureOf(create({ ...bare, __urn: `${URN}-renamed` }));
  expect(message).toMatch(
    /an interrupted creation of "chat" by "chat" may still arrive\. Run up again in \d+ s/,
  );
  expect([writes(), ids()]).toEqual([[], []]);
});

test("an unfinished creation does not block a second creation in the same run, because the two may be in different workspaces", async () => {
  const [journal, emulator] = [journalFolder(), await started({ revisionSeconds: 0 })];
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: POST });
  const { session } = sessionOn(emulator, { journal });
  const first = createDeployment(session, bare);
  await until(() => emulator.requests.some(({ method }) => method === "POST"));
  const second = await createDeployment(session, { ...bare, __urn: `${URN}-2` });
  release();
  expect((await first).id).not.toBe(second.id);
});

test("a plan announces that `pulumi up` may take over the deployment that an interrupted creation made", async () => {
  const { next, writes } = await interrupted("answer");
  const { session, told } = next();
  const { inputs } = await deployment.check(session, undefined, bare);
  expect(told.join()).toContain("may create a new revision (an earlier run began the creation");
  expect(inputs).toMatchObject({ __plan: { verdict: "mayRevise" } });
  expect(writes()).toEqual([]);
});

test("if a run is killed after the answer, the next run finds the deployment by its id", async () => {
  const { journal, id: madeId, next, ids } = await interrupted("neither");
  expect(attemptsIn(journal)[0].answer).toBe(madeId);
  const { create, warnings } = next();
  const { id, outputs } = await create();
  expect(ids()).toEqual([id]);
  expect(outputs.rolloutState).toBe("deployed");
  expect(warnings()[0]).toContain("the service had answered it");
});

test.each(["answer", "request"] as const)(
  "if the %s of a creation with a secret name was lost, the next run uses the name in the program to recover",
  async (lost) => {
    const hidden = { ...bare, __secrets: ["name"], name: "hidden-name" };
    const { emulator, next, writes } = await interrupted(lost, hidden);
    const { id, outputs } = await next().create(hidden);
    expect(emulator.deployments()).toMatchObject([{ id, name: "hidden-name" }]);
    expect(outputs.rolloutState).toBe("deployed");
    expect(writes()).toEqual(lost === "answer" ? [] : ["POST"]);
  },
);

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

test("the next run repeats a lost request only after the first request can no longer arrive", async () => {
  const { journal, emulator, next, writes } = await interrupted("request");
  const [attempt] = attemptsIn(journal);
  await next().create();
  expect(attempt.expiresAt - attempt.sentAt).toBe(40_000);
  expect(attemptsIn(journal)[0].sentAt).toBeGreaterThanOrEqual(attempt.expiresAt);
  expect(emulator.deployments()).toHaveLength(1);
  expect(writes()).toEqual(["POST"]);
});

test("if two deployments with the creation's name have appeared, the error gives both ids, and the run sends nothing", async () => {
  const { emulator, next, writes } = await interrupted("answer");
  const [id = ""] = emulator.seed(1);
  emulator.change(id, { name: "chat" });
  const error = await failureOf(next().create());
  expect(error).toBeInstanceOf(RefusedError);
  for (const each of emulator.deployments()) expect(error.message).toContain(each.id);
  expect(writes()).toEqual([]);
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
  "the run refuses a deployment that another client may have made, and the error gives the id and the remedy (%s)",
  async (why, change) => {
    const { journal, emulator, next, writes } = await interrupted("request", chat);
    await createDeployment(sessionOn(emulator).session, { ...chat, __urn: `${URN}-of-another` });
    const id = emulator.deployments()[0]?.id as string;
    emulator.change(id, change);
    const error = await failureOf(next().create(chat));
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toContain(why);
    expect(error.message).toContain(`set adopt: "${id}"`);
    expect(error.message).toContain(attemptFiles(journal)[0]);
    expect(writes()).toEqual([]);
  },
);

test("if the program adopts a deployment that the creation would refuse to take over, the attempt is removed from the journal", async () => {
  const { journal, emulator, next } = await interrupted("request");
  await createDeployment(sessionOn(emulator).session, { ...bare, sourceConfig: { buildOnPush: false } });
  const id = emulator.deployments()[0]?.id;
  const created = await next().create({ ...bare, adopt: id });
  expect(created.id).toBe(id);
  expect(attemptFiles(journal)).toEqual([]);
});

test("if the program renames the deployment before the recovery, the error gives the id of the existing deployment", async () => {
  const { id, next, writes } = await interrupted("answer");
  const error = await failureOf(next().create({ ...bare, name: "renamed" }));
  expect(error.message).toContain(id);
  expect(error.message).toContain(
    "Run `pulumi refresh`; if that changes nothing, set the name back for one update",
  );
  expect(writes()).toEqual([]);
});

test("if another client made the deployment with the old name, the creation with the new name is sent", async () => {
  const { emulator, next, writes } = await interrupted("request");
  await createDeployment(sessionOn(emulator).session, { ...bare, sourceConfig: { buildOnPush: false } });
  emulator.requests.length = 0;
  const { id } = await next().create({ ...bare, name: "renamed" });
  expect(emulator.deployments()).toMatchObject([{ id, name: "renamed" }, { name: "chat" }]);
  expect(writes()).toEqual(["POST"]);
});

test("the take-over is refused if a fixed argument has changed, and succeeds after the change is undone", async () => {
  const { next, ids } = await interrupted("answer");
  const changed = { ...bare, source: "internal_source" };
  const error = await failureOf(next().create(changed));
  expect(error.message).toContain("differs in arguments that cannot be changed: source");
  const { id } = await next().create();
  expect(ids()).toEqual([id]);
});

test("if an interrupted run's deployment has been deleted since then, the next run makes a new deployment", async () => {
  const { emulator, id, next } = await interrupted("neither");
  emulator.remove(id);
  const { create, told } = next();
  const created = await create();
  expect(created.id).not.toBe(id);
  expect(told[0]).toContain(`an earlier run made ${id}, which the service no longer has`);
});

test("a deployment that is being replaced is not mistaken for its successor", async () => {
  const { id: old, next } = await interrupted("neither");
  const { create, session } = next();
  session.planned.set(URN, { id: old, isReplaced: true, deletesFirst: false });
  const { id } = await create({ ...bare, name: "successor" });
  expect(id).not.toBe(old);
});

test.each<[string, (text: string) => string]>([
  ["cut off", (text) => text.slice(0, 40)],
  ["about another resource", (text) => text.replace("::chat", "::other")],
])(
  "if a journal file is %s, the next creation is refused, and the creation after that looks the deployment up by name",
  async (_what, breaking) => {
    const { journal, emulator, id, next } = await interrupted("answer");
    const [file = ""] = attemptFiles(journal);
    writeFileSync(file, breaking(readFileSync(file, "utf8")));
    const unreadable = await failureOf(next().create());
    expect(unreadable.message).toContain(`${file}.unreadable could not be read`);
    const taken = await failureOf(next().create());
    expect(taken.message).toContain(`exists already on ${emulator.url}. Change name, or set adopt: "${id}"`);
    expect(emulator.deployments()).toHaveLength(1);
  },
);

test("if two stacks create the same name at the same time and a request is lost, neither stack silently adopts the other's deployment", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const [firstRun, secondRun] = [nextRun(emulator, journal), nextRun(emulator, journal)];
  await firstRun.service.directory.named("chat");
  await secondRun.service.directory.named("chat");
  emulator.failNext({ kind: "drop-before", match: POST });
  const ends = await Promise.allSettled([
    createDeployment(firstRun.session, bare),
    createDeployment(secondRun.session, { ...bare, __urn: URN.replace("dev", "prod") }),
  ]);
  const [failed] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(failed.message).toMatch(/Run `pulumi up` again|another stack on this machine has made it/);
  expect(emulator.deployments()).toHaveLength(1);
  const lostInputs = ends[0]?.status === "rejected" ? bare : { ...bare, __urn: URN.replace("dev", "prod") };
  const refused = await failureOf(createDeployment(nextRun(emulator, journal).session, lostInputs));
  expect(refused).toBeInstanceOf(RefusedError);
  expect(emulator.deployments()).toHaveLength(1);
  expect(refused.message).toContain(emulator.deployments()[0]?.id as string);
});

test.each([
  ["in lower case", "Chat Agent", "chat agent"],
  ["in another Unicode form", "cafe\u0301", "caf\u00e9"],
])(
  "if the service spells the name %s, the next run takes over the killed run's deployment, and makes no second deployment",
  async (_how, name, spelled) => {
    const inputs = { ...bare, name };
    const { emulator, id, next, writes } = await interrupted("answer", inputs);
    emulator.change(id, { name: spelled });
    expect((await next().create(inputs)).id).toBe(id);
    expect([writes(), emulator.deployments().length]).toEqual([[], 1]);
  },
);

test("a creation does not take over an older deployment whose name differs only in spelling", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  await createDeployment(sessionOn(emulator).session, { ...bare, name: "chat", __urn: `${URN}-of-another` });
  emulator.failNext({ kind: "drop-before", match: POST });
  await killedRun(emulator, journal, { ...bare, name: "Chat" });
  const { session } = nextRun(emulator, journal);
  const { id } = await createDeployment(session, { ...bare, name: "Chat" });
  expect(emulator.deployments()).toMatchObject([{ id, name: "Chat" }, { name: "chat" }]);
});

test("with adopt: true, the next run also takes over a deployment whose name the service spells in lower case", async () => {
  const inputs = { ...bare, name: "Chat Agent", adopt: true };
  const { emulator, id, next } = await interrupted("answer", inputs);
  emulator.change(id, { name: "chat agent" });
  expect((await next().create(inputs)).id).toBe(id);
  expect(emulator.deployments()).toHaveLength(1);
});

test("if the answer gave the deployment's id, but somebody has renamed the deployment, the take-over is refused, even if the program also changes the name", async () => {
  const { emulator, id, next, ids } = await interrupted("neither");
  emulator.change(id, { name: "renamed-by-hand" });
  const error = await failureOf(next().create({ ...bare, name: "new" }));
  expect(error.message).toContain(`made ${id}: its name is not the one that was sent`);
  expect(ids()).toEqual([id]);
});

test("if the answer to a creation is lost, the run finds the new deployment even if the journal cannot be read", async () => {
  const emulator = await started();
  const { session } = sessionOn(emulator, { journal: `${__filename}/journal`, maxRetries: "0" });
  emulator.failNext({ kind: "drop-after", match: POST });
  const { id } = await createDeployment(session, bare);
  expect(emulator.deployments()).toMatchObject([{ id }]);
});
