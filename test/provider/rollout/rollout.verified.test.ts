/** A rollout that verifies its deployments. */
import { faultInWords } from "../../../provider/fields/check";
import type { Properties } from "../../../provider/fields/value";
import { failureOf, provided } from "../../support/providerRun";
import { provingRuntime } from "../../support/provingRuntime";
import { rollout } from "../../support/resourceCalls";

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Rollout::fleet";
type Failure = Error & { id: string; properties: Properties };

/** A rollout of deployments that were made from these refs. */
async function fleet(...refs: string[]) {
  const run = await provided({ revisionSeconds: 0 });
  const runtime = await provingRuntime(run.emulator);
  const deployments: Properties = {};
  const verify: Properties = {};
  for (const ref of refs) {
    const body = { name: ref, source: "repohost", source_revision_config: { repo_ref: ref } };
    const { id } = await run.service.endpoints.createDeployment(body);
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

test("right replies deploy the rollout, and one conversation per deployment is enough", async () => {
  const { session, inputs, runtime } = await fleet("right-1", "right-2");
  const { outputs, id } = await rollout.create(session, inputs);
  expect(outputs).toMatchObject({ deployed: 2, rolloutState: "deployed" });
  expect(runtime.conversations()).toBe(2);
  expect((await rollout.diff(session, id, outputs, inputs, true)).changes).toBe(false);
});

test("a wrong reply fails the rollout, a missing reply leaves it unfinished, and the next wait asks only those deployments again", async () => {
  const { session, inputs, runtime, told, sent } = await fleet("right-1", "wrong-1", "silent-1");
  const error = await failureOf<Failure>(rollout.create(session, inputs));
  expect(error.message).toContain("1 of 3 failed, 1 of 3 were not deployed, or not verified, in time");
  expect(error.message).toContain("The next up verifies those again whose reply was wrong or missing");
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

test("if the only failure is a wrong reply, the rollout ends as failed, and no plan says that a refresh makes its revision again", async () => {
  const { session, inputs, told } = await fleet("wrong-1");
  const error = await failureOf<Failure>(rollout.create(session, inputs));
  expect(error.message).not.toContain("--refresh");
  expect(error.properties.rolloutState).toBe("failed");
  await rollout.diff(session, error.id, error.properties, inputs, true);
  expect(told.at(-1)).toContain("(the last wait ended failed)");
});

test("a verification that is faulty, or names no deployment of the rollout, is refused with its path", async () => {
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
