import type { Clock } from "../../../provider/client/clock";
import { RefusedError } from "../../../provider/failure";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { createdDeployment } from "../../support/createdDeployment";
import { turnedClock } from "../../support/httpServer";
import { failureOf, hastyClock, provided, sessionOn, URN } from "../../support/providerRun";
import { createDeployment, deployment, destroyDeployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const bot = {
  name: "bot",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example.test/bot:1" },
};

/** A deployment that an earlier run created, and a later run that destroys it. */
async function running(
  options: EmulatorOptions,
  onDestroy?: string,
  clockOf: () => Clock = () => hastyClock,
) {
  const { emulator, id, outputs, later } = await createdDeployment(bot, options);
  const run = later(clockOf());
  const state = onDestroy === undefined ? outputs : { ...outputs, onDestroy };
  return { ...run, emulator, id, state, destroy: () => destroyDeployment(run.session, id, state) };
}

const contract = { profile: "contract" } as const;
const langsmith = { profile: "langsmith" } as const;

test.each([
  ["contract by default", contract, undefined],
  ["contract with onDestroy retain", contract, "retain"],
  ["langsmith with onDestroy retain", langsmith, "retain"],
] as const)("the deployment keeps running, and the warning gives its id (%s)", async (_, options, policy) => {
  const { emulator, id, destroy, warnings, sent } = await running(options, policy);
  await destroy();
  expect(warnings()).toEqual([
    expect.stringMatching(
      new RegExp(
        `leaves the deployment running on ${emulator.url} \\(id ${id}\\): .*manage it again, .* adopt: "${id}"$`,
      ),
    ),
  ]);
  expect(sent()).toEqual([]);
  expect(emulator.deployments()).toHaveLength(1);
});

test("a deployment that only another tenant can see does not count as deleted", async () => {
  const { emulator, session, state } = await running(langsmith);
  const otherId = "00000000-0000-4000-8000-00000000000a";
  const missing = "00000000-0000-4000-8000-00000000000b";
  const error = await failureOf(destroyDeployment(session, missing, { ...state, tenantId: otherId }));
  expect(error.message).toContain(`belongs to tenant ${otherId}, but the API key or the headers lead to`);
  expect(emulator.deployments()).toHaveLength(1);
});

test.each([undefined, "delete"])(
  "onDestroy %s: a service with DELETE deletes the deployment, and the run waits until the deployment is gone",
  async (policy) => {
    const { emulator, id, destroy, told, sent } = await running(langsmith, policy, sharedClock);
    emulator.behaviour.revisionSeconds = 0.1;
    await destroy();
    expect(emulator.deployments()).toEqual([]);
    const requests = sent();
    expect(requests[0]).toBe("DELETE /v2/deployments/ID");
    expect(requests.filter((request) => request.startsWith("DELETE"))).toHaveLength(1);
    expect(requests.slice(1).every((request) => request === "GET /v2/deployments/ID")).toBe(true);
    expect(told).toEqual([expect.stringContaining(`deleted (id ${id})`)]);
  },
);

test.each([404, 405, 501])(
  "if the service answers %i and still has the deployment, the deletion fails and the error says what to set",
  async (status) => {
    const { emulator, id, destroy, told } = await running(langsmith);
    const deploymentPath = /deployments\/[^/]+$/;
    for (const method of ["DELETE", "GET"])
      emulator.failNext({
        kind: "status",
        status,
        times: 100,
        match: { method, pathPattern: deploymentPath },
      });
    const error = await failureOf(destroy());
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toContain(`the service still has ${id}, so it stays in the state`);
    expect(error.message).toContain("deployment-control:profile");
    expect(told).toEqual([]);
    expect(emulator.deployments()).toHaveLength(1);
  },
);

test("a run waits for a deletion that another client has just begun", async () => {
  const { emulator, id, destroy, told } = await running(langsmith);
  emulator.behaviour.revisionSeconds = 0.1;
  await fetch(`${emulator.url}/v2/deployments/${id}`, { method: "DELETE" });
  emulator.failNext({ kind: "status", status: 404, match: { method: "DELETE" } });
  await destroy();
  expect(told).toEqual([expect.stringContaining("deleted")]);
});

test("if onDestroy is fail, the deletion is refused and nothing is sent", async () => {
  for (const options of [contract, langsmith]) {
    const { destroy, sent } = await running(options, "fail");
    const error = await failureOf(destroy());
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toContain('onDestroy is "fail"');
    expect(sent()).toEqual([]);
  }
});

test("a deployment that another resource of the program has taken over is not deleted, whatever onDestroy says", async () => {
  for (const onDestroy of ["delete", "fail"]) {
    const { emulator, id, state, session, warnings } = await running(langsmith, onDestroy);
    const taker = `${URN}-taker`;
    await createDeployment(session, { ...bot, adopt: id, __urn: taker });
    emulator.requests.length = 0;
    await destroyDeployment(session, id, { ...state, __urn: URN });
    expect(warnings()).toContainEqual(
      expect.stringMatching(
        new RegExp(`stays as it is \\(id ${id}\\): it is kept for ".*-taker" of this program`),
      ),
    );
    expect(emulator.requests).toEqual([]);
  }
});

test("a run does not delete a deployment that the same run created", async () => {
  const { emulator, session } = await provided(langsmith);
  const { id, outputs } = await createDeployment(session, bot);
  emulator.requests.length = 0;
  expect((await failureOf(destroyDeployment(session, id, outputs))).message).toContain("was not replaced");
  expect(emulator.requests).toEqual([]);
});

test("if a forced replacement adopts the old deployment, only the first deletion fails", async () => {
  const { emulator } = await provided(langsmith);
  const named = { ...bot, __urn: URN };
  const { id, outputs } = await createDeployment(sessionOn(emulator, langsmith).session, named);
  const { session } = sessionOn(emulator, langsmith);
  await createDeployment(session, { ...named, adopt: true });
  emulator.requests.length = 0;
  const { message } = await failureOf(destroyDeployment(session, id, outputs));
  expect(message).toMatch(/was not replaced: .* is kept for .*--replace or a taint/);
  const next = sessionOn(emulator, langsmith);
  await deployment.diff(next.session, id, outputs, { ...named, adopt: true }, true);
  await destroyDeployment(next.session, id, outputs);
  expect(next.warnings()).toEqual([expect.stringContaining(`stays as it is (id ${id})`)]);
  expect(emulator.requests).toEqual([]);
});

test("if a deletion does not end before the deadline, the error says what to do", async () => {
  const { emulator, destroy } = await running(langsmith, undefined, turnedClock);
  emulator.behaviour.revisionSeconds = 3_600;
  expect((await failureOf(destroy())).message).toContain("still has the deployment. Run the command again");
});
