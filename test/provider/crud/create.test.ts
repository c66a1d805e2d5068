import type { Emulator } from "../../../sdk/emulator";
import { heldRequests, started } from "../../support/embeddedService";
import {
  attemptFiles,
  attemptsIn,
  journalFolder,
  killedAfter,
  nextRun,
  until,
  untilRead,
} from "../../support/interruptedRun";
import { sessionOn } from "../../support/providerRun";
import { listener } from "../../support/resourceCalls";

const POST = { method: "POST" } as const;
const LANGSMITH = { profile: "langsmith" };
const URN = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/deployment-control:Listener::cluster";
const cluster = {
  __urn: URN,
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces: ["one"] },
};

const posts = (emulator: Emulator) => emulator.requests.filter(({ method }) => method === "POST").length;

async function listeners(emulator: Emulator): Promise<unknown[]> {
  const answer = await fetch(`${emulator.url}/v2/listeners`);
  return ((await answer.json()) as { resources: unknown[] }).resources;
}

/** A run whose process is killed right after it sends its POST. */
const killedRun = (emulator: Emulator, journal: string): Promise<void> =>
  killedAfter("POST", emulator, { ...LANGSMITH, journal }, (session) => listener.create(session, cluster));

test("a listener's creation stays in the journal until a run finds the listener in the state", async () => {
  const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
  const { session } = sessionOn(emulator, { ...LANGSMITH, journal });
  const { id, outputs } = await listener.create(session, cluster);
  expect(attemptsIn(journal)).toMatchObject([{ kind: "listener", name: "k8s cluster-1", answer: id }]);
  const next = nextRun(emulator, journal, LANGSMITH);
  await listener.diff(next.session, id, outputs, cluster, true);
  await until(() => attemptFiles(journal).length === 0);
});

test("if an interrupted run's POST may still arrive, the next run waits for the listener and sends no second POST", async () => {
  const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: POST });
  await killedRun(emulator, journal);
  const { session } = nextRun(emulator, journal, LANGSMITH);
  const creating = listener.create(session, cluster);
  await untilRead(emulator);
  release();
  await creating;
  expect(await listeners(emulator)).toHaveLength(1);
  expect(posts(emulator)).toBe(0);
});

test("if an interrupted run's POST can no longer arrive, the next run sends the POST again", async () => {
  const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
  emulator.failNext({ kind: "drop-before", match: POST });
  await killedRun(emulator, journal);
  const [interrupted] = attemptsIn(journal);
  const { session } = nextRun(emulator, journal, LANGSMITH);
  await listener.create(session, cluster);
  expect(attemptsIn(journal)[0].sentAt).toBeGreaterThanOrEqual(interrupted.expiresAt);
  expect(await listeners(emulator)).toHaveLength(1);
});

test("if the answer to a POST is lost, the creation looks for the listener and sends no second POST", async () => {
  const [journal, emulator] = [journalFolder(), await started({ profile: "langsmith" })];
  emulator.failNext({ kind: "drop-after", match: POST });
  const { session } = sessionOn(emulator, { ...LANGSMITH, journal });
  const { id } = await listener.create(session, cluster);
  expect(await listeners(emulator)).toEqual([expect.objectContaining({ id })]);
  expect(posts(emulator)).toBe(1);
});
