/** Tests how many requests are sent for updates that make revisions, with and without a wait. */
import type { Clock } from "../../../provider/client/clock";
import type { Properties } from "../../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator";
import { chat, hastyClock, inParallel, provided, sessionOn } from "../../support/providerRun";
import { createDeployment, deployment, rollout, updateDeployment } from "../../support/resourceCalls";
import { FULL_MINUTE, sharedClock } from "../../support/sharedClock";

const PATCH = "PATCH /v2/deployments/ID";
const REVISE = "POST /v2/deployments/ID/revisions";
const LOOK = "GET /v2/deployments/ID/revisions";
/** The read of a deployment before the request that makes a revision. */
const READ = { contract: "GET /v2/deployments", langsmith: "GET /v2/deployments/ID" };

const USUAL_SECONDS = 3;
const NEVER = 600;

const settings = (repoRef: string) => ({
  sourceRevisionConfig: { repoRef, graphConfigPath: "graph.json" },
});
const recordedState = { ...chat, ...settings("main") };
const notAwaited = { rollout: { wait: false } };

const CHANGES = {
  "another ref": settings("next"),
  "a new trigger": { revisionTriggers: { commit: "1" } },
  "another secret": { secrets: { TOKEN: "rotated-secret-value" } },
} as const;

/** Creates deployments in one run. Returns a later run, which updates them in the engine's order and waits for them. */
async function running(count: number, clock: Clock, options: EmulatorOptions = {}) {
  const { emulator, session } = await provided({ ...options, revisionSeconds: 0 });
  const inputs = Array.from({ length: count }, (_, index) => ({
    ...recordedState,
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
  /** Plans all updates first, then applies them in parallel. */
  const update = async (change: Properties) => {
    for (const { id, outputs, inputs: olds } of all)
      await deployment.diff(run.session, id, outputs, { ...olds, ...change }, true);
    return inParallel(all, ({ id, outputs, inputs: olds }) =>
      updateDeployment(run.session, id, outputs, { ...olds, ...change }),
    );
  };
  const wait = () => {
    const members = all.map(({ id }, index) => [`chat-${index}`, { id, revisionKey: `${id}:2` }]);
    return rollout.create(run.session, { deployments: Object.fromEntries(members) });
  };
  return { ...run, emulator, ids: all.map(({ id }) => id), update, wait };
}

const count = (requests: readonly string[], request: string) =>
  requests.filter((each) => each === request).length;

const latestOf = (emulator: Emulator, id: string) =>
  emulator.deployments().find((each) => each.id === id)?.latest_revision_id;

const telling = (messages: readonly string[], words: string) =>
  messages.filter((each) => each.includes(words)).length;

describe("updates that do not wait", () => {
  test.each([
    ["a PATCH and a read of the revisions", "contract", "another ref", [LOOK, PATCH]],
    ["a PATCH and a read of the revisions", "contract", "a new trigger", [LOOK, PATCH]],
    ["one call that makes a revision", "langsmith", "another ref", [REVISE]],
    ["one call that makes a revision", "langsmith", "a new trigger", [REVISE]],
    ["one call that makes a revision", "langsmith", "another secret", [REVISE]],
  ] as const)(
    "each update that does not wait takes %s in addition to its first read (%s, %s)",
    async (_, profile, what, requests) => {
      const { emulator, ids, update, sent, told } = await running(40, hastyClock, { profile });
      emulator.behaviour.repeatedValuesMakeRevision = true;
      const outputs = await update({ ...CHANGES[what], ...notAwaited });
      const each = [READ[profile], ...requests].sort();
      expect(sent().sort()).toEqual(each.flatMap((request) => Array(40).fill(request)));
      expect(outputs.map(({ latestRevisionId }) => latestRevisionId)).toEqual(
        ids.map((id) => latestOf(emulator, id)),
      );
      expect(outputs[0]).toMatchObject({ latestRevisionStatus: "CREATING", rolloutState: "not awaited" });
      expect(telling(told, "as planned, a new revision")).toBe(40);
    },
  );

  test("if the plan announces a possible revision, but the service makes none, an update that does not wait takes one PATCH in addition to its first read", async () => {
    const { emulator, update, sent, told } = await running(40, hastyClock);
    emulator.behaviour.secretsMakeRevision = false;
    await update({ ...CHANGES["another secret"], ...notAwaited });
    expect(sent().filter((each) => each !== READ.contract)).toEqual(Array(40).fill(PATCH));
    expect(telling(told, "this update created no new revision")).toBe(40);
  });
});

describe("100 deployments whose rollouts take the usual time", () => {
  const USUAL = { revisionSeconds: USUAL_SECONDS, repeatedValuesMakeRevision: true };

  test.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
    "if 100 updates wait, each update takes on average at most 2.2 requests in addition to its write and the read before the write (%s)",
    async (what) => {
      const { emulator, update, sent } = await running(100, sharedClock(FULL_MINUTE));
      Object.assign(emulator.behaviour, USUAL);
      const outputs = await update(CHANGES[what]);
      const all = sent();
      expect(outputs.every(({ rolloutState }) => rolloutState === "deployed")).toBe(true);
      expect(emulator.deployments().every(({ revisions }) => revisions.length === 2)).toBe(true);
      expect(count(all, PATCH)).toBe(100);
      expect(all.length - 200).toBeLessThanOrEqual(220);
    },
  );

  test("if one Rollout waits for 100 updates, each update takes on average at most 2.2 requests in addition to its write and the read before the write", async () => {
    const { emulator, update, wait, sent } = await running(100, sharedClock(FULL_MINUTE));
    Object.assign(emulator.behaviour, USUAL);
    await update({ ...CHANGES["a new trigger"], ...notAwaited });
    expect((await wait()).outputs).toMatchObject({ deployed: 100, rolloutState: "deployed" });
    expect(sent().length - 200).toBeLessThanOrEqual(220);
  });

  test("if 100 creations wait, each creation takes on average at most 1.4 requests in addition to its write and the look-up of the names", async () => {
    const { session, emulator } = await provided(
      { revisionSeconds: USUAL_SECONDS },
      {},
      sharedClock(FULL_MINUTE),
    );
    const names = Array.from({ length: 100 }, (_, index) => `chat-${index}`);
    await inParallel(names, (name) => createDeployment(session, { ...recordedState, name }));
    const isOfNames = ({ path, query }: { readonly path: string; readonly query: object }) =>
      path === "/v2/deployments" && !("deployment_ids" in query);
    const looks = emulator.requests.filter((request) => request.method === "GET" && !isOfNames(request));
    expect(looks.length).toBeLessThanOrEqual(140);
  });
});
