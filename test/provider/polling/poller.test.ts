/** Tests all waits of a process on one service: waits for single deployments, and rollouts of many deployments. */

import { systemClock } from "../../../provider/client/clock";
import { Follow } from "../../../provider/polling/follow";
import { Poller } from "../../../provider/polling/poller";
import type { Properties } from "../../../provider/schema/value";
import { turnedClock } from "../../support/httpServer";
import { chat, madeOn, provided } from "../../support/providerRun";
import { createDeployment, rollout } from "../../support/resourceCalls";

const ROLLOUT = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Rollout::fleet";
/** The number of rounds in which every deployment waits before it is deployed. */
const ROUNDS = 6;

/** Runs two rollouts of `each` deployments and `singles` waits for one deployment, all at the same time. */
async function waitingTogether(each: number, singles: number) {
  const clock = turnedClock();
  const providerRun = await provided({ revisionSeconds: 600 }, {}, clock);
  const { emulator, session, service } = providerRun;
  const ids: string[] = [];
  for (let index = 0; index < 2 * each; index += 1) {
    const body = { name: `d${index}`, source: "repohost", source_revision_config: { repo_ref: "main" } };
    ids.push((await madeOn(providerRun, body)).id as string);
  }
  const posts = () => emulator.requests.filter(({ method }) => method === "POST").length;
  // The numbers of ids in the listings of each round. The clock moves only between two rounds.
  const rounds = new Map<number, number[]>();
  const list = service.endpoints.listDeployments.bind(service.endpoints);
  jest.spyOn(service.endpoints, "listDeployments").mockImplementation((query = {}, range) => {
    if (posts() === ids.length + singles) {
      const idCount = String(query.deployment_ids).split(",").length;
      rounds.set(clock.now(), [...(rounds.get(clock.now()) ?? []), idCount]);
    }
    if (rounds.size === ROUNDS) for (const { id } of emulator.deployments()) emulator.settle(id, "DEPLOYED");
    return list(query, range);
  });
  const rollouts = [ids.slice(0, each), ids.slice(each)].map((some) => {
    const deployments = Object.fromEntries(some.map((id) => [id, { id, revisionKey: `${id}:1` }]));
    return rollout.create(session, { __urn: ROLLOUT, deployments } as Properties);
  });
  const waits = Array.from({ length: singles }, (_, index) =>
    createDeployment(session, { ...chat, name: `single-${index}` }),
  );
  const outputs = (await Promise.all([...rollouts, ...waits])).map((created) => created.outputs);
  return { outputs, rounds: [...rounds.values()] };
}

test.each([
  [20, 20, [60]],
  [120, 10, [100, 100, 50]],
])(
  "two rollouts of %i deployments each and %i single waits share their requests",
  async (each, singles, fullRound) => {
    const { outputs, rounds } = await waitingTogether(each, singles);
    expect(outputs.every(({ rolloutState }) => rolloutState === "deployed")).toBe(true);
    // The last POST may be answered one or two rounds late.
    for (const round of rounds.slice(2)) {
      expect(round.length).toBeLessThanOrEqual(fullRound.length);
      // A round in which fewer deployments are due fills its requests with other deployments.
      expect(fullRound.join()).toMatch(new RegExp(`^${round.join()}|${round.join()}$`));
    }
  },
);

test("a new wait cuts the pause of earlier waits short, and a finished wait leaves no timer running", async () => {
  // The time is fixed and not round. Shared polls happen at round times, and no other event should coincide with them.
  jest.useFakeTimers({ now: 50 });
  try {
    const running = new Set<string>();
    const requestedIds: string[] = [];
    const current = async (ids: readonly string[]) => {
      requestedIds.push(ids.join());
      const active = (id: string) => (running.has(id) ? "r" : null);
      return new Map(ids.map((id) => [id, { id, latest_revision_id: "r", active_revision_id: active(id) }]));
    };
    const listRevisions = async function* () {
      yield [{ id: "r", status: "BUILDING" }];
    };
    const poller = new Poller({ listRevisions } as never, { current } as never, systemClock);
    const follow = (deploymentId: string, timeoutSeconds: number) =>
      new Follow(poller, { deploymentId, timeoutSeconds, tellNewer: async () => {} });
    const firstWaits = [follow("a", 600), follow("b", 600), follow("c", 90)];
    const waits = firstWaits.map((each) => poller.watch([each]));
    await jest.advanceTimersByTimeAsync(80_000);
    const before = requestedIds.length;
    const newWait = follow("d", 600);
    waits.push(poller.watch([newWait]));
    await jest.advanceTimersByTimeAsync(1);
    expect(requestedIds.slice(before)).toEqual([expect.stringContaining("d")]);
    await jest.advanceTimersByTimeAsync(20_000);
    for (const id of ["a", "b", "d"]) running.add(id);
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(waits);
    expect([...firstWaits, newWait].map(({ end }) => end)).toEqual([
      "deployed",
      "deployed",
      "waiting",
      "deployed",
    ]);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
