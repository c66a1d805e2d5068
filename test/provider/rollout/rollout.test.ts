import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { started } from "../../support/embeddedService";
import { turnedClock } from "../../support/httpServer";
import { failureOf, hastyClock, madeOn, provided, sessionOn } from "../../support/providerRun";
import { rollout } from "../../support/resourceCalls";
import { sharedClock, untilQuiet } from "../../support/sharedClock";

const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Rollout::fleet";
type Failure = Error & { id: string; properties: Properties };

/**
 * A service with deployments d1, d2 and so on, and the inputs of one rollout for all of these deployments.
 */
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

test("when no deployment is waiting any more, the rollout fails with a table of all failures", async () => {
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

test("a rollout reads each revision every ten seconds", async () => {
  const members = await fleet(30, {}, turnedClock());
  const inputs = { ...members.inputs, timeoutSeconds: 60 };
  await failureOf(rollout.create(members.session, inputs));
  const rounds = members
    .sent()
    .join("\n")
    .split("GET /v2/deployments\n")
    .map((round) => round.split("\n").filter((line) => line.endsWith("/revisions")).length)
    .filter((count) => count > 0);
  // The last round is the final read at the end of the wait.
  expect(rounds).toEqual(Array(rounds.length).fill(30));
  expect(rounds.length).toBeLessThanOrEqual(7);
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
  // A request that is already in transit may still finish.
  await untilQuiet();
  near.sent();
  await untilQuiet();
  expect(near.sent()).toEqual([]);
  await session.service("far").endpoints.close();
});
