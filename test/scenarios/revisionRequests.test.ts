/** What updates that make revisions ask of the service, waiting and not: golden numbers, and that no push is taken for theirs. */
import type { Clock } from "../../provider/client/clock";
import type { Properties } from "../../provider/fields/value";
import type { Emulator, EmulatorOptions } from "../../sdk/emulator";
import { createDeployment, deployment, rollout, updateDeployment } from "../provider/calling";
import {
  chat,
  fastClock,
  hastyClock,
  inParallel,
  PARALLEL,
  provided,
  sessionOn,
} from "../provider/providing";

const PATCH = "PATCH /v2/deployments/ID";
const LISTING = "GET /v2/deployments";
const LOOK = "GET /v2/deployments/ID/revisions";

const TIMES = 10;
/** A rollout of usual length on the fast clock: 3 s. */
const USUAL_SECONDS = 3 / TIMES;
const NEVER = 600;

/** Time that stands still until it is set: what is fresh stays so, however slow the machine is. */
const still = (): Clock & { ahead: number } => {
  const now = Date.now();
  const clock = { ...hastyClock, ahead: 0, now: () => now + clock.ahead };
  return clock;
};

const settings = (repoRef: string) => ({
  sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" },
});
const made = { ...chat, ...settings("main") };
const notAwaited = { rollout: { wait: false } };

const CHANGES = {
  "another ref": settings("next"),
  "a new trigger": { revisionTriggers: { commit: "1" } },
  "another secret": { secrets: { TOKEN: "rotated-secret-value" } },
} as const;

/** Deployments that an earlier run made and that run, and updates of them as the engine makes them. */
async function running(count: number, clock: Clock, options: EmulatorOptions = {}) {
  const { emulator, session } = await provided({ ...options, revisionSeconds: 0 });
  const inputs = Array.from({ length: count }, (_, index) => ({
    ...made,
    name: `chat-${index}`,
    __urn: `${chat.__urn}-${index}`,
  }));
  const all = await inParallel(inputs, async (each) => ({
    inputs: each,
    ...(await createDeployment(session, each)),
  }));
  emulator.behaviour.revisionSeconds = NEVER;
  emulator.requests.length = 0;
  const run = sessionOn(emulator, { profile: options.profile ?? "contract" }, clock);
  const changed = (change: Properties) =>
    all.map((each) => ({ ...each, news: { ...each.inputs, ...change } }));
  type Changed = ReturnType<typeof changed>[number];
  const plan = ({ id, outputs, news }: Changed) => deployment.diff(run.session, id, outputs, news, true);
  const carryOut = ({ id, outputs, news }: Changed) => updateDeployment(run.session, id, outputs, news);
  /** All are planned while the first are carried out. */
  const update = async (change: Properties) => {
    for (const each of changed(change)) await plan(each);
    return inParallel(changed(change), carryOut);
  };
  const wait = () => {
    const members = all.map(({ id }, index) => [`chat-${index}`, { id, revisionKey: `${id}:2` }]);
    return rollout.create(run.session, { deployments: Object.fromEntries(members) });
  };
  return { ...run, emulator, ids: all.map(({ id }) => id), changed, plan, carryOut, update, wait };
}

const count = (requests: readonly string[], request: string) =>
  requests.filter((each) => each === request).length;

const latestOf = (emulator: Emulator, id: string) =>
  emulator.deployments().find((each) => each.id === id)?.latest_revision_id;

const telling = (told: readonly string[], words: string) =>
  told.filter((each) => each.includes(words)).length;

describe("updates that nobody waits for", () => {
  test.each(["contract", "langsmith"] as const)(
    "are a PATCH each and nothing else, where its answer shows the new settings (%s)",
    async (profile) => {
      const { emulator, ids, update, sent, told } = await running(40, still(), { profile });
      const outputs = await update({ ...CHANGES["another ref"], ...notAwaited });
      expect(sent()).toEqual(Array(40).fill(PATCH));
      expect(outputs.map(({ latestRevisionId }) => latestRevisionId)).toEqual(
        ids.map((id) => latestOf(emulator, id)),
      );
      expect(outputs[0]).toMatchObject({ latestRevisionStatus: null, rolloutState: "not awaited" });
      expect(telling(told, "as planned, a new revision")).toBe(40);
    },
  );

  test.each([
    ["contract", "a new trigger"],
    ["langsmith", "a new trigger"],
    ["langsmith", "another secret"],
  ] as const)(
    "take one listing for each hundred beside, where it does not (%s, %s)",
    async (profile, what) => {
      const { emulator, ids, update, sent, told } = await running(150, still(), { profile });
      emulator.behaviour.repeatedValuesMakeRevision = true;
      const outputs = await update({ ...CHANGES[what], ...notAwaited });
      expect(sent().sort()).toEqual([...Array(2).fill(LISTING), ...Array(150).fill(PATCH)]);
      expect(outputs.map(({ latestRevisionId }) => latestRevisionId)).toEqual(
        ids.map((id) => latestOf(emulator, id)),
      );
      expect(telling(told, "as planned, a new revision")).toBe(150);
    },
  );

  test("that may make a revision are looked at until one has: so the others do", async () => {
    const { update, sent, told } = await running(100, still());
    await update({ ...CHANGES["another secret"], ...notAwaited });
    const all = sent();
    expect(count(all, LOOK)).toBeLessThanOrEqual(PARALLEL);
    expect(count(all, LISTING)).toBeLessThanOrEqual(2);
    expect(telling(told, "this update did create a new revision")).toBe(100);
  });

  test("are looked at, one by one, where the service ignores the filter of ids", async () => {
    const { emulator, update, sent, told } = await running(20, still());
    Object.assign(emulator.behaviour, { ignoreFilters: true, repeatedValuesMakeRevision: true });
    emulator.seed(150);
    await update({ ...CHANGES["a new trigger"], ...notAwaited });
    const all = sent();
    expect(count(all, LISTING)).toBeLessThanOrEqual(1 + 2);
    expect(all).toHaveLength(20 + count(all, LISTING) + count(all, LOOK));
    expect(telling(told, "as planned, a new revision")).toBe(20);
  });

  test("are sent although the listing before them fails", async () => {
    const { emulator, service, update, sent, told } = await running(3, still());
    emulator.behaviour.repeatedValuesMakeRevision = true;
    jest.spyOn(service.endpoints, "listDeployments").mockImplementation(() => {
      throw new Error("no listing today");
    });
    await update({ ...CHANGES["a new trigger"], ...notAwaited });
    expect(sent().sort()).toEqual([...Array(3).fill(LOOK), ...Array(3).fill(PATCH)]);
    expect(telling(told, "as planned, a new revision")).toBe(3);
  });
});

describe("a revision of another hand is not taken for the update's", () => {
  const changedRef = { ...CHANGES["another ref"], ...notAwaited };
  const triggered = { ...CHANGES["a new trigger"], ...notAwaited };
  const NOT_MADE = "but this update created none";

  test("where it was there before the update", async () => {
    const { emulator, ids, update, warnings } = await running(12, still());
    emulator.behaviour.repeatedValuesMakeRevision = false;
    for (const id of ids) emulator.push(id);
    await new Promise((done) => setTimeout(done, 100));
    await update(triggered);
    expect(telling(warnings(), NOT_MADE)).toBe(12);
  });

  test("where a listing that is no longer fresh did not have it yet", async () => {
    const clock = still();
    const { emulator, ids, changed, plan, carryOut, sent, warnings } = await running(2, clock);
    emulator.behaviour.repeatedValuesMakeRevision = false;
    const [first, second] = changed(triggered) as [Parameters<typeof plan>[0], Parameters<typeof plan>[0]];
    await plan(first);
    await plan(second);
    await carryOut(first);
    expect(sent()).toEqual([LISTING, PATCH]);
    emulator.push(ids[1] as string);
    await new Promise((done) => setTimeout(done, 100));
    clock.ahead = 60_000;
    await carryOut(second);
    expect(sent()).toEqual([LISTING, PATCH, LOOK]);
    expect(telling(warnings(), NOT_MADE)).toBe(2);
  });

  test("where it has the same settings and serves already", async () => {
    const { emulator, ids, update, warnings } = await running(2, still());
    emulator.behaviour.repeatedValuesMakeRevision = false;
    for (const id of ids) {
      emulator.push(id, { repoRef: "next" });
      emulator.settle(id, "DEPLOYED");
    }
    await new Promise((done) => setTimeout(done, 100));
    await update(changedRef);
    expect(telling(warnings(), NOT_MADE)).toBe(2);
  });

  test("while the update makes its own after it: the answer shows that one", async () => {
    const { emulator, ids, update, sent, warnings } = await running(2, still());
    const pushed = ids.map((id) => emulator.push(id).id);
    const outputs = await update(changedRef);
    expect(sent()).toEqual([PATCH, PATCH]);
    expect(outputs.map(({ latestRevisionId }) => latestRevisionId)).toEqual(
      ids.map((id) => latestOf(emulator, id)),
    );
    expect(pushed).not.toContain(outputs[0]?.latestRevisionId);
    expect(warnings()).toEqual([]);
  });
});

test("an answer that shows other settings than were sent is looked at", async () => {
  const { service, changed, carryOut, sent } = await running(1, still());
  const write = service.endpoints.updateDeployment.bind(service.endpoints);
  jest.spyOn(service.endpoints, "updateDeployment").mockImplementation(async (...given) => {
    const answer = await write(...given);
    const shown = { ...(answer.resource.source_revision_config as Properties), repo_ref: "refs/heads/next" };
    return { ...answer, resource: { ...answer.resource, source_revision_config: shown } };
  });
  const [one] = changed({ ...CHANGES["another ref"], ...notAwaited });
  await carryOut(one as Parameters<typeof carryOut>[0]);
  expect(sent()).toEqual([PATCH, LOOK]);
});

test("settings in which the service showed the revision before are no proof: the listing before the update is", async () => {
  const { changed, carryOut, sent } = await running(1, still());
  const [one] = changed({ ...CHANGES["another ref"], ...notAwaited }) as [Parameters<typeof carryOut>[0]];
  const respelled = { "sourceRevisionConfig.repoRef": "next" };
  await carryOut({ ...one, outputs: { ...one.outputs, respelled } });
  expect(sent()).toEqual([LISTING, PATCH]);
});

describe("100 rollouts of usual length cost at most 1.2 requests each beside their writes", () => {
  const USUAL = { revisionSeconds: USUAL_SECONDS, repeatedValuesMakeRevision: true };
  const MOST = 120;

  test.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
    "of updates that each wait (%s)",
    async (what) => {
      const { emulator, update, sent } = await running(100, fastClock(TIMES));
      Object.assign(emulator.behaviour, USUAL);
      const outputs = await update(CHANGES[what]);
      const all = sent();
      expect(outputs.every(({ rolloutState }) => rolloutState === "deployed")).toBe(true);
      expect(emulator.deployments().every(({ revisions }) => revisions.length === 2)).toBe(true);
      expect(count(all, PATCH)).toBe(100);
      expect(all.length - 100).toBeLessThanOrEqual(MOST);
    },
    60_000,
  );

  test("of updates that one Rollout awaits", async () => {
    const { emulator, update, wait, sent } = await running(100, fastClock(TIMES));
    Object.assign(emulator.behaviour, USUAL);
    await update({ ...CHANGES["a new trigger"], ...notAwaited });
    expect((await wait()).outputs).toMatchObject({ deployed: 100, rolloutState: "deployed" });
    expect(sent().length - 100).toBeLessThanOrEqual(MOST);
  });

  test("of creations that each wait", async () => {
    const { session, sent } = await provided({ revisionSeconds: USUAL_SECONDS }, {}, fastClock(TIMES));
    const names = Array.from({ length: 100 }, (_, index) => `chat-${index}`);
    await inParallel(names, (name) => createDeployment(session, { ...made, name }));
    expect(sent().length - 100).toBeLessThanOrEqual(MOST);
  }, 60_000);
});
