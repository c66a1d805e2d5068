import { faultInWords } from "../../../provider/schema/check";
import type { Properties } from "../../../provider/schema/value";
import { failureOf, madeOn, provided } from "../../support/providerRun";
import { provingRuntime } from "../../support/provingRuntime";
import { rollout } from "../../support/resourceCalls";

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Rollout::fleet";

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

  test("the removal of a deployment or a change to the time-out is recorded without a request", async () => {
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

// A rollout that verifies its deployments.

type Failure = Error & { id: string; properties: Properties };

/** A rollout of deployments that were made from these refs. */
async function fleet(...refs: string[]) {
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

test("if all replies are right, the rollout ends as deployed after one conversation per deployment", async () => {
  const { session, inputs, runtime } = await fleet("right-1", "right-2");
  const { outputs, id } = await rollout.create(session, inputs);
  expect(outputs).toMatchObject({ deployed: 2, rolloutState: "deployed" });
  expect(runtime.conversations()).toBe(2);
  expect((await rollout.diff(session, id, outputs, inputs, true)).changes).toBe(false);
});

test("after a wrong and a missing reply, the rollout is unfinished, and the next wait asks only these deployments", async () => {
  const { session, inputs, runtime, told, sent } = await fleet("right-1", "wrong-1", "silent-1");
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
  const { session, inputs, told } = await fleet("wrong-1");
  const error = await failureOf<Failure>(rollout.create(session, inputs));
  expect(error.message).not.toContain("--refresh");
  expect(error.properties.rolloutState).toBe("failed");
  await rollout.diff(session, error.id, error.properties, inputs, true);
  expect(told.at(-1)).toContain("(the last wait ended failed)");
});

test("if a verification is faulty or names no deployment of the rollout, it is refused, and the error gives its path", async () => {
  const { session, inputs, verify } = await fleet("right-1");
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
