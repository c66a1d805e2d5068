import { RefusedError, type UnfinishedError } from "../../../../provider/failure";
import { EngineRun } from "../../../../provider/run/run";
import type { Properties } from "../../../../provider/schema/value";
import type { Emulator } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { started } from "../../../support/embeddedService";
import { turnedClock } from "../../../support/httpServer";
import { attemptFiles, bare, journalFolder, killedRun, nextRun } from "../../../support/interruptedRun";
import { chat, failureOf, provided, sessionOn, URN } from "../../../support/providerRun";
import {
  createDeployment,
  deployment,
  destroyDeployment,
  updateDeployment,
} from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const POST = { method: "POST" } as const;
const revisions = (emulator: Emulator) => emulator.deployments().map((each) => each.revisions.length);

test("a creation that does not wait sends nothing after the POST", async () => {
  const { session, sent } = await provided({ revisionSeconds: 60 });
  const { outputs } = await createDeployment(session, { ...chat, rollout: { wait: false } });
  expect(sent()).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
  expect(outputs).toMatchObject({ rolloutState: "not awaited", latestRevisionStatus: null });
});

test("if the name is taken, the error gives the id of the existing deployment and says how to adopt that deployment", async () => {
  const { emulator, session, sent } = await provided();
  const { id } = await createDeployment(session, chat);
  const laterRun = sessionOn(emulator);
  sent();
  const error = await failureOf(createDeployment(laterRun.session, chat));
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.message).toContain(
    `a deployment named "chat" exists already on ${emulator.url}. Change name, or set adopt: "${id}" to manage it`,
  );
  expect(new Set(sent())).toEqual(new Set(["GET /v2/deployments"]));
});

test("if a replacement would have its predecessor's name, the error says to change the name", async () => {
  const { emulator, session } = await provided();
  const { id, outputs } = await createDeployment(session, { ...chat, __urn: URN });
  const { session: next } = sessionOn(emulator);
  const moved = { ...chat, __urn: URN, source: "internal_source" };
  const renamed = { ...moved, name: "chat-2" };
  await deployment.diff(next, id, outputs, renamed, true);
  const { message } = await failureOf(createDeployment(next, moved));
  expect(message).toMatch(
    new RegExp(
      `the old deployment ${id} still has the name "chat".*Change name too, or run .*set adopt to that id$`,
    ),
  );
});

test.each([
  ["a broken connection", { kind: "drop-after", match: POST }],
  ["a gateway's error", { kind: "status-after", status: 504, match: POST }],
  ["an HTML page", { kind: "status-after", status: 200, body: "<p>", contentType: "text/html", match: POST }],
  ["truncated JSON", { kind: "status-after", status: 200, body: '{"id": "3f', match: POST }],
  ["JSON without an id", { kind: "status-after", status: 200, body: {}, match: POST }],
  ["an empty body", { kind: "status-after", status: 204, match: POST }],
] as const)(
  "if the answer to an applied POST is lost or unusable, the run finds the deployment: %s",
  async (_, fault) => {
    const { emulator, session, told, sent } = await provided();
    emulator.failNext(fault);
    const { id, outputs } = await createDeployment(session, chat);
    expect(emulator.deployments().map((deployment) => deployment.id)).toEqual([id]);
    expect(outputs.rolloutState).toBe("deployed");
    expect(sent().filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect(revisions(emulator)).toEqual([1]);
    expect(told[0]).toContain("it is not certain whether the request took effect");
  },
);

test.each([
  ["a broken connection", { kind: "drop-before", match: POST }],
  ["a server error", { kind: "status", status: 500, match: POST }],
] as const)(
  "if it is uncertain whether the POST was applied, the run looks the deployment up and never repeats the POST: %s",
  async (_, fault) => {
    const { emulator, session, sent } = await provided();
    emulator.failNext(fault);
    const error = await failureOf(createDeployment(session, chat));
    expect(error.message).toMatch(
      /it is not known whether it was made: .* Run `pulumi up` again, which looks for it/,
    );
    const requests = sent();
    expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect(requests.filter((request) => request.startsWith("GET")).length).toBeGreaterThan(3);
    expect(emulator.deployments()).toEqual([]);
  },
);

test("if the answer is lost while an old deployment with the same name is being deleted, the run takes over the new deployment", async () => {
  const { emulator, session } = await provided();
  const [oldId = ""] = emulator.seed(1);
  emulator.change(oldId, { name: "chat", status: "AWAITING_FINAL_DELETE" });
  emulator.failNext({ kind: "drop-after", match: POST });
  const { id } = await createDeployment(session, chat);
  expect(emulator.deployments().map((deployment) => deployment.id)).toEqual([id, oldId]);
});

test("after the service has refused a creation, the run sends no look-up", async () => {
  const { emulator, session, sent } = await provided();
  emulator.failNext({ kind: "status", status: 422, body: { detail: "no" }, match: POST });
  expect((await failureOf(createDeployment(session, chat))).message).toContain("answered 422: no");
  expect(sent()).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
});

test("two connections to one account do not create the same name twice", async () => {
  const { emulator } = await provided({ apiKey: "key" });
  const there = { baseUrl: emulator.url, apiKey: "key" };
  const connections = {
    a: there,
    b: { ...there, requestTimeoutSeconds: 7 },
    c: { ...there, headers: { "X-Tenant-Id": "c" } },
  };
  const { session } = sessionOn(emulator, { connections: JSON.stringify(connections) });
  const create = (connection: string, of: number) =>
    createDeployment(session, { ...chat, __urn: `${URN}-${connection}-${of}`, connection });
  await create("a", 1);
  expect((await failureOf(create("b", 2))).message).toContain('a deployment named "chat" exists already');
  expect(emulator.deployments()).toHaveLength(1);
  // Connection `c` uses another workspace, which counts as another account.
  expect(session.service("c").fleet).not.toBe(session.service("a").fleet);
});

// In the next tests, the name is in use on the service, by a preview or by a deployment that is still being deleted.

const langsmith = { profile: "langsmith" } as const;
const bot = {
  __urn: URN,
  name: "bot",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.test/bot:1" },
};

test.each([false, true])(
  "a new deployment may have the name of a preview on the service, and does not adopt the preview (adopt: %s)",
  async (adopt) => {
    const { emulator, session } = await provided(langsmith);
    const [preview = ""] = emulator.seed(1, true);
    const { id } = await createDeployment(session, { ...bot, name: "preview-0001", adopt });
    expect(id).not.toBe(preview);
    expect(emulator.deployments()).toHaveLength(2);
  },
);

test("if a creation gets no answer, the service's preview with the same name is not mistaken for the new deployment", async () => {
  const { emulator, session } = await provided(langsmith);
  emulator.seed(1, true);
  emulator.failNext({ kind: "drop-before", match: { method: "POST" } });
  const error = await failureOf(createDeployment(session, { ...bot, name: "preview-0001" }));
  expect(error.message).toContain("it is not known whether it was made");
});

const CONFLICT = { kind: "status", status: 409, match: { method: "POST" } } as const;

/** A run that replaces the deployment and keeps the name: it plans the replacement, and deletes the old deployment. */
async function deletedFirst(rollout: object = {}) {
  const { emulator, id, outputs, later } = await createdDeployment(bot, langsmith);
  const run = later(sharedClock());
  const args = { ...bot, source: "internal_docker", rollout };
  const planned = await deployment.diff(run.session, id, outputs, args, true);
  expect(planned).toMatchObject({ replaces: ["source"], deleteBeforeReplace: true });
  await destroyDeployment(run.session, id, outputs);
  return { ...run, emulator, create: () => createDeployment(run.session, args) };
}

test("a creation waits for a name that this run's deletion has not freed yet, and reports the wait", async () => {
  const { emulator, create, told } = await deletedFirst();
  emulator.failNext({ ...CONFLICT, times: 3 });
  const { id } = await create();
  expect(emulator.deployments().map((each) => [each.id, each.source])).toEqual([[id, "internal_docker"]]);
  expect(told.filter((words) => words.includes("has not freed the name yet"))).toHaveLength(3);
});

test("if the creation times out while it waits for a name, the error is the service's answer", async () => {
  const { emulator, create } = await deletedFirst({ timeoutSeconds: 25 });
  emulator.requests.length = 0;
  emulator.failNext({ ...CONFLICT, times: 100 });
  expect(await failureOf(create())).toMatchObject({ status: 409 });
  expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
});

test("a creation does not wait for a name that somebody else has taken", async () => {
  const { emulator, session } = await provided(langsmith);
  emulator.failNext({ ...CONFLICT, times: 100 });
  expect(await failureOf(createDeployment(session, bot))).toMatchObject({ status: 409 });
  expect(emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

// A creation sends the display name in a PATCH after the POST.

const titled = (displayName?: string): Properties => ({
  __urn: URN,
  name: "chat",
  source: "internal_docker",
  sourceRevisionConfig: { imageUri: "registry.example.com/chat@sha256:1" },
  ...(displayName !== undefined && { displayName }),
});
const service = () => provided({ profile: "langsmith" });
const PATCH = { method: "PATCH" } as const;

test("if the PATCH fails, the state lacks the display name, and the next update sets the name on the same deployment", async () => {
  const { emulator, session } = await service();
  emulator.failNext({ kind: "status", status: 422, body: { detail: "no" }, match: PATCH });
  const error = await failureOf<UnfinishedError>(createDeployment(session, titled("Chat")));
  expect(error.message).toContain("but its display_name could not be set: ");
  expect(error.properties).not.toHaveProperty("displayName");
  const next = sessionOn(emulator, { profile: "langsmith" });
  const id = emulator.deployments()[0]?.id as string;
  await deployment.diff(next.session, id, error.properties, titled("Chat"), true);
  expect(next.told.join()).toContain("displayName (not set) -> Chat");
  await updateDeployment(next.session, id, error.properties, titled("Chat"));
  expect(emulator.deployments()).toMatchObject([{ display_name: "Chat", revisions: [{}] }]);
});

test.each([
  ["POST", "drop-after"],
  ["PATCH", "drop-before"],
  ["PATCH", "drop-after"],
] as const)(
  "if the run is killed at the %s (%s), the next run sets the display name and makes nothing twice",
  async (method, kind) => {
    const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
    const settings = { profile: "langsmith", maxRetries: "1" };
    emulator.failNext({ kind, match: { method } });
    await killedRun(emulator, journal, titled("Chat"), settings);
    const { session } = nextRun(emulator, journal, settings);
    const { outputs } = await createDeployment(session, titled("Chat"));
    expect(outputs).toMatchObject({ displayName: "Chat", rolloutState: "deployed" });
    expect(emulator.deployments()).toMatchObject([{ display_name: "Chat", revisions: [{}] }]);
  },
);

test("a changed display name is updated in place, a removed display name stays on the service with a warning, and a refresh reads a user's change to the display name", async () => {
  const { emulator, id, plan, update, writes, refresh } = await createdDeployment(titled("Chat"), {
    profile: "langsmith",
  });
  expect((await plan(titled("Talk"))).told.join()).toContain(
    "updates in place, no new revision (displayName Chat -> Talk)",
  );
  const after = await update(titled("Talk"));
  expect(writes()).toEqual([{ display_name: "Talk" }]);
  expect((await plan(titled(), after)).warnings().join()).toContain(
    "the service keeps what the program no longer sets: displayName",
  );
  emulator.change(id, { display_name: "By hand" });
  expect((await refresh(after)).outputs).toMatchObject({ displayName: "By hand" });
});

// In the next tests, a creation waits in the queue for so long that the look-up of its name becomes stale.

const PROOF_SECONDS = 5;
const inputsOf = (name: string) => ({ ...bare, name, rollout: { wait: false }, __urn: `${URN}-${name}` });
const namesOn = (emulator: Emulator) =>
  emulator
    .deployments()
    .map(({ name }) => name)
    .sort();

/** Starts two creations. The second creation waits in the queue while `meanwhile` runs and six seconds pass. */
async function queued(meanwhile: (emulator: Emulator) => void) {
  const [emulator, clock, journal] = [await started(), turnedClock(), journalFolder()];
  const settings: Record<string, string> = {
    baseUrl: emulator.url,
    journal,
    maxConcurrency: "1",
    maxRetries: "0",
  };
  const messages: string[] = [];
  const tell = async (_urn: string, words: string) => void messages.push(words);
  let isFirst = true;
  const run = new EngineRun(
    (key) => settings[key],
    { info: tell, warn: tell },
    clock,
    async (method) => {
      if (method !== "POST" || !isFirst) return;
      isFirst = false;
      meanwhile(emulator);
      clock.turn((PROOF_SECONDS + 1) * 1_000);
    },
  );
  const [, second] = await Promise.allSettled(
    ["one", "two"].map((name) => createDeployment(run, inputsOf(name))),
  );
  await run.service(undefined).endpoints.close();
  const posts = emulator.requests.filter(({ method }) => method === "POST").length;
  return {
    emulator,
    told: messages,
    posts,
    entries: attemptFiles(journal).length,
    error: (second as PromiseRejectedResult).reason,
  };
}

test("a creation that has waited in the queue for more than five seconds looks its name up again", async () => {
  const { emulator, posts, entries, error } = await queued((emulator) =>
    emulator.change(emulator.seed(1)[0] as string, { name: "two" }),
  );
  expect(error.message).toContain('a deployment named "two" exists already');
  expect([posts, entries]).toEqual([1, 1]);
  expect(namesOn(emulator)).toEqual(["one", "two"]);
});

test("if the second look-up fails, the creation sends no POST, and the error says that nothing was created", async () => {
  const { told, posts, entries, error } = await queued((emulator) =>
    emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } }),
  );
  expect(error.message).toMatch(/nothing was created: .*answered 500/);
  expect([posts, entries]).toEqual([1, 1]);
  expect(told.join()).not.toContain("not certain");
});
