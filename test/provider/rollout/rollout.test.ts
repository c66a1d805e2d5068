import { faultInWords } from "../../../provider/schema/check";
import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";
import { turnedClock } from "../../support/httpServer";
import { failureOf, hastyClock, madeOn, provided, sessionOn } from "../../support/providerRun";
import { provingRuntime } from "../../support/provingRuntime";
import { rollout } from "../../support/resourceCalls";
import { sharedClock, untilQuiet } from "../../support/sharedClock";

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Rollout::fleet";
type Failure = Error & { id: string; properties: Properties };

/** A service with deployments d1, d2 and so on, and the inputs of one rollout for all of these deployments. */
async function fleet(count: number, options: EmulatorOptions = {}, clock = hastyClock) {
  const providerRun = await provided({ revisionSeconds: 600, ...options }, {}, clock);
  const { emulator } = providerRun;
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const body = { name: `d${index}`, source: "repohost", source_revision_config: { repo_ref: "main" } };
    ids.push((await madeOn(providerRun, body)).id as string);
  }
  providerRun.sent();
  const deployments = Object.fromEntries(
    ids.map((id, index) => [`d${index + 1}`, { id, revisionKey: `${id}:1` }]),
  );
  const inputs: Properties = { __urn: URN, deployments };
  const settle = (status: string, from = 0, to = count) => {
    for (const id of ids.slice(from, to)) emulator.settle(id, status);
  };
  const words = () => providerRun.told.map((line) => line.replace(`info ${URN} rollout "fleet": `, ""));
  return { ...providerRun, ids, inputs, settle, words };
}

/** Runs the functions in `eventsByUrn`: each function runs before the read whose number is the function's key. */
function during(
  members: Awaited<ReturnType<typeof fleet>>,
  eventsByUrn: { [read: number]: () => void },
): void {
  const { endpoints } = members.service;
  let reads = 0;
  const happens = () => {
    reads += 1;
    eventsByUrn[reads]?.();
  };
  const list = endpoints.listDeployments.bind(endpoints);
  jest.spyOn(endpoints, "listDeployments").mockImplementation((...args) => {
    happens();
    return list(...args);
  });
  const revisions = endpoints.listRevisions.bind(endpoints);
  jest.spyOn(endpoints, "listRevisions").mockImplementation((...args) => {
    happens();
    return revisions(...args);
  });
}

test("if all deployments already run, the rollout takes one listing and reads no revision", async () => {
  const { session, inputs, settle, sent, words, emulator } = await fleet(3);
  settle("DEPLOYED");
  const { id, outputs } = await rollout.create(session, inputs);
  expect(sent()).toEqual(["GET /v2/deployments"]);
  expect(id).toBe("fleet");
  expect(outputs).toMatchObject({ deployed: 3, rolloutState: "deployed", seconds: expect.any(Number) });
  const latest = emulator.deployments().map(({ name, latest_revision_id }) => [name, latest_revision_id]);
  expect(outputs.revisions).toEqual(Object.fromEntries(latest));
  expect(words()).toEqual([expect.stringMatching(/^3 of 3 deployed after 0(\.\d)? s \(0 waiting\)$/)]);
});

test("the rollout reports each change once, and its pauses grow with the time waited", async () => {
  const clock = turnedClock();
  const members = await fleet(3, {}, clock);
  during(members, { 4: () => members.settle("DEPLOYED", 0, 2), 30: () => members.settle("DEPLOYED") });
  const { outputs } = await rollout.create(members.session, members.inputs);
  expect(outputs).toMatchObject({ deployed: 3 });
  expect(members.words()).toEqual([
    expect.stringMatching(/^2 of 3 deployed after 0(\.\d)? s \(1 waiting\)$/),
    expect.stringMatching(/^3 of 3 deployed after \d+(\.\d)? s \(0 waiting\)$/),
  ]);
  const sleptBefore = clock.slept.map((_, index) =>
    clock.slept.slice(0, index).reduce((sum, pause) => sum + pause, 0),
  );
  const longPauses = clock.slept.filter(
    (pause, index) => pause > Math.max(1_000, (sleptBefore[index] ?? 0) * 0.1 + 1),
  );
  expect(longPauses).toEqual([]);
  expect(Math.max(...clock.slept)).toBeGreaterThan(1_000);
});

test("when no deployment is still waiting, the rollout fails with a table of all failures", async () => {
  const clock = turnedClock();
  const members = await fleet(4, {}, clock);
  members.emulator.settle(members.ids[0] as string, "BUILD_FAILED", "no Dockerfile");
  members.settle("DEPLOY_FAILED", 2, 3);
  const othersEnd = () => {
    members.settle("DEPLOYED", 1, 2);
    members.settle("DEPLOYED", 3, 4);
  };
  during(members, { 16: othersEnd });
  const error = await failureOf<Failure>(rollout.create(members.session, members.inputs));
  const [head, ...table] = error.message.split("\n");
  expect(head).toMatch(
    /^rollout "fleet": 2 of 4 failed after [\d.]+ s; 2 deployed\. The next `pulumi up` makes the failed revisions again; without this machine's journal, run `pulumi up --refresh`$/,
  );
  const statuses = ["status", "BUILD_FAILED", "DEPLOY_FAILED"];
  expect(new Set(statuses.map((status, line) => table[line]?.indexOf(status))).size).toBe(1);
  expect(table.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["deployment", "revision", "status", "seconds", "still serving"],
    [
      "d1",
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      "BUILD_FAILED",
      expect.stringMatching(/^[\d.]+$/),
      "none",
    ],
    [
      "d3",
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      "DEPLOY_FAILED",
      expect.stringMatching(/^[\d.]+$/),
      "none",
    ],
    ["The service says:"],
    ["d1: no Dockerfile"],
  ]);
  expect(members.words()).toContainEqual(
    expect.stringMatching(/^0 of 4 deployed .*\(2 waiting, 2 failed\)$/),
  );
  expect(error).toMatchObject({ id: "fleet", properties: { deployed: 2, rolloutState: "failed" } });
  expect(Object.keys(error.properties.revisions as object)).toEqual(["d1", "d2", "d3", "d4"]);
});

test("if the whole rollout times out, the error shows the last status of each unfinished deployment, and the next update waits again", async () => {
  const members = await fleet(3, {}, turnedClock());
  members.settle("DEPLOYED", 0, 1);
  const inputs = { ...members.inputs, timeoutSeconds: 30 };
  const error = await failureOf<Failure>(rollout.create(members.session, inputs));
  expect(error.message).toMatch(
    /2 of 3 were not deployed in time after 30 s; 1 deployed\. The next update waits again\n/,
  );
  expect(error.message).toMatch(/d2 +\S+ +CREATING +30 +none$/m);
  expect(error.properties).toMatchObject({ deployed: 1, rolloutState: "unfinished" });
  expect(await rollout.diff(members.session, "fleet", error.properties, inputs, true)).toEqual({
    changes: true,
  });
  expect(members.words().at(-1)).toBe(
    "waits for the newest revisions of 3 deployments (the last wait ended unfinished)",
  );
  members.settle("DEPLOYED");
  const outputs = await rollout.update(members.session, "fleet", error.properties, inputs);
  expect(outputs).toMatchObject({ deployed: 3, rolloutState: "deployed" });
});

test("a rollout waits for a deployment that awaits its database, and counts a deleted deployment as failed", async () => {
  const members = await fleet(2, { databaseSeconds: 0.2, revisionSeconds: 0 }, sharedClock());
  members.emulator.remove(members.ids[1] as string);
  const error = await failureOf<Failure>(rollout.create(members.session, members.inputs));
  expect(error.message).toMatch(/1 of 2 failed.*d2 +none yet +not on the service /s);
  expect(error.properties).toMatchObject({ deployed: 1 });
});

test("if the service can no longer be read, the wait ends, and the state records an unfinished rollout", async () => {
  const members = await fleet(1);
  members.emulator.failNext({ kind: "status", status: 403 });
  const error = await failureOf<Failure>(rollout.create(members.session, members.inputs));
  expect(error.message).toMatch(
    /rollout "fleet": could not be followed: .*403.* The next update waits again$/s,
  );
  expect(error).toMatchObject({ id: "fleet", properties: { deployed: 0, rolloutState: "unfinished" } });
});

test("if one service fails, the waits on other services end too, and these services get no more requests", async () => {
  const clock = turnedClock();
  const near = await fleet(2, {}, clock);
  const far = await started();
  const connections = JSON.stringify({ far: { baseUrl: far.url } });
  const { session } = sessionOn(near.emulator, { connections }, clock);
  far.seed(1);
  const [id] = far.deployments().map((each) => each.id);
  const deployments = {
    ...(near.inputs.deployments as object),
    d3: { id, revisionKey: "k", connection: "far" },
  };
  far.failNext({ kind: "status", status: 403 });
  const error = await failureOf<Failure>(rollout.create(session, { ...near.inputs, deployments }));
  expect(error.message).toMatch(/could not be followed: .*403/);
  // A request that is already in flight may still finish.
  await untilQuiet();
  near.sent();
  await untilQuiet();
  expect(near.sent()).toEqual([]);
  await session.service("far").endpoints.close();
});

describe("the plan of a rollout", () => {
  const entry = (key: string) => ({ id: key, revisionKey: `${key}:1` });
  const state = {
    __urn: URN,
    deployments: { a: entry("a"), b: entry("b") },
    revisions: { a: "r1", b: "r2" },
    deployed: 2,
    seconds: 3,
    rolloutState: "deployed",
  };
  const differs = async (deployments: Properties, more: Properties = {}) => {
    const { session, told, sent } = await provided();
    const news = { __urn: URN, deployments, ...more };
    const { changes } = await rollout.diff(session, "fleet", state, news, true);
    const outputs = changes && told.length === 0 ? await rollout.update(session, "fleet", state, news) : {};
    expect(sent()).toEqual([]);
    return { changes, outputs, told: told.map((line) => line.split(": ").slice(1).join(": ")) };
  };

  test("a rollout waits if a deployment is added or has a new revision, but not if only the order changes", async () => {
    const { a, b } = state.deployments;
    expect(await differs({ b, a })).toMatchObject({ changes: false, told: [] });
    expect(await differs({ a, b: { ...b, revisionKey: "b:2" } })).toMatchObject({
      changes: true,
      told: ["waits for the newest revisions of 2 deployments (new or changed: b)"],
    });
    expect(await differs({ a, b, constructor: entry("c") })).toMatchObject({
      told: ["waits for the newest revisions of 3 deployments (new or changed: constructor)"],
    });
    expect(await differs({ a, b: { ...b, revisionKey: "b:2" }, c: entry("c") })).toMatchObject({
      told: ["waits for the newest revisions of 3 deployments (new or changed: b, c)"],
    });
  });

  test("the removal of a deployment or a change to the time-out is recorded, and no request is sent", async () => {
    const { a, b } = state.deployments;
    expect(await differs({ a })).toMatchObject({
      changes: true,
      told: [],
      outputs: { deployed: 1, revisions: { a: "r1" }, rolloutState: "deployed" },
    });
    expect(await differs({ a, b }, { timeoutSeconds: 60 })).toMatchObject({
      changes: true,
      outputs: { deployed: 2, seconds: 3, timeoutSeconds: 60 },
    });
  });

  test("the error for a bad argument says what is allowed", async () => {
    const { session } = await provided();
    const { failures } = await rollout.check(session, undefined, {
      __urn: URN,
      deployments: {},
      timeoutSeconds: 0,
      timeOutSeconds: 3,
    });
    expect(failures.map(faultInWords)).toEqual([
      "timeoutSeconds: got 0 (a number); allowed: an integer of at least 1",
      "timeOutSeconds: is not an argument; did you mean timeoutSeconds?",
    ]);
    const news = { __urn: URN, deployments: { a: { ...entry("a"), connection: "nowhere" } } };
    await expect(rollout.check(session, undefined, news)).rejects.toThrow('connection: got "nowhere"');
  });
});

test("a refresh or a destroy of a rollout sends nothing and changes nothing", async () => {
  const { session, sent } = await provided();
  const state = { __urn: URN, deployments: {}, rolloutState: "failed" };
  expect(await rollout.read(session, "fleet", state)).toEqual({ id: "fleet", outputs: state });
  await rollout.delete(session, "fleet", state);
  expect(sent()).toEqual([]);
});

/** A rollout of deployments that were made from these refs. */
async function verifiedFleet(...refs: string[]) {
  const run = await provided({ revisionSeconds: 0 });
  const runtime = await provingRuntime(run.emulator);
  const deployments: Properties = {};
  const verify: Properties = {};
  for (const ref of refs) {
    const body = { name: ref, source: "repohost", source_revision_config: { repo_ref: ref } };
    const { id } = await madeOn(run, body);
    deployments[ref] = { id, revisionKey: `${id}:1` };
    verify[ref] = {
      deploymentUrl: `${runtime.url}/runtime/${id}`,
      assistantId: "echo",
      messages: [{ role: "user", content: "hello" }],
      expect: { contains: "hello" },
    };
  }
  run.sent();
  const inputs: Properties = { __urn: URN, deployments, verify };
  return { ...run, runtime, inputs, deployments, verify };
}

test("if one reply is wrong and another is missing, the rollout is unfinished, and the next wait asks only these two deployments", async () => {
  const { session, inputs, runtime, told, sent } = await verifiedFleet("right-1", "wrong-1", "silent-1");
  const error = await failureOf<Failure>(rollout.create(session, inputs));
  expect(error.message).toContain("1 of 3 failed, 1 of 3 were not deployed, or not verified, in time");
  expect(error.message).toContain("The next update verifies those again whose reply was wrong or missing");
  expect(error.message).toMatch(
    /The conversations:\n {2}wrong-1: asked "hello": .*\n {2}silent-1: asked "hello": /,
  );
  expect(error.properties).toMatchObject({
    deployed: 1,
    rolloutState: "unfinished",
    statuses: { "right-1": "DEPLOYED", "wrong-1": "VERIFY_FAILED", "silent-1": "UNVERIFIED" },
  });
  expect((await rollout.diff(session, error.id, error.properties, inputs, true)).changes).toBe(true);
  expect(told.at(-1)).toContain("the last wait ended unfinished");
  runtime.mood = "right";
  const before = runtime.conversations();
  sent();
  expect((await rollout.update(session, error.id, error.properties, inputs)).rolloutState).toBe("deployed");
  expect(runtime.conversations()).toBe(before + 2);
  expect(sent().filter((request) => /^(POST|PATCH) \/v2/.test(request))).toEqual([]);
});

test("if the only failure is a wrong reply, the rollout has failed, and neither the error nor the plan advises a refresh", async () => {
  const { session, inputs, told } = await verifiedFleet("wrong-1");
  const error = await failureOf<Failure>(rollout.create(session, inputs));
  expect(error.message).not.toContain("--refresh");
  expect(error.properties.rolloutState).toBe("failed");
  await rollout.diff(session, error.id, error.properties, inputs, true);
  expect(told.at(-1)).toContain("(the last wait ended failed)");
});

test("a verification is refused if it is faulty or names a deployment outside the rollout, and the error gives the path of the fault", async () => {
  const { session, inputs, verify } = await verifiedFleet("right-1");
  const question = verify["right-1"] as Properties;
  const words = async (entries: Properties) => {
    const { failures } = await rollout.check(session, undefined, { ...inputs, verify: entries });
    return failures.map(faultInWords).join("\n");
  };
  expect(await words({ other: question })).toContain("verify.other: names no deployment of the rollout");
  expect(await words({ "right-1": { ...question, expect: {} } })).toContain(
    "verify.right-1.expect: got none",
  );
  expect(await words({ "right-1": null })).toBe("");
});
