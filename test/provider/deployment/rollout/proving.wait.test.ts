import { waitForRollout } from "../../../../provider/deployment/rollout/proving";
import { describeSteps } from "../../../../provider/polling/revisions";
import type { Properties } from "../../../../provider/schema/value";
import { turnedClock } from "../../../support/httpServer";
import { provided } from "../../../support/providerRun";

interface Scripted {
  /**
   * The statuses of each revision, one per poll; the last status stays. `undefined` means that the service does not
   * list the revision.
   */
  readonly revisions: { readonly [id: string]: readonly (string | undefined)[] };
  /** The deployment's `latest_revision_id`, one value per poll; the last value stays. */
  readonly latest?: readonly (string | null)[];
  /** The creation time of each revision, as the service gives it. */
  readonly made?: { readonly [id: string]: string };
  readonly timeoutSeconds?: number;
  readonly startsWithout?: boolean;
  /** Whether the host keeps every line, and therefore cannot show progress. */
  readonly keepsLines?: boolean;
}

/** Waits for a rollout on a service that follows a script. The clock is fake, so a sleep takes no time. */
async function waited({
  revisions,
  latest = ["r1"],
  made = {},
  timeoutSeconds = 60,
  startsWithout,
  keepsLines = false,
}: Scripted) {
  const clock = turnedClock();
  const { service } = await provided({}, {}, clock);
  const looks = new Map<string, number>();
  const next = <T>(key: string, values: readonly T[]): T => {
    const look = looks.get(key) ?? 0;
    looks.set(key, look + 1);
    return values[Math.min(look, values.length - 1)] as T;
  };
  jest.spyOn(service.endpoints, "listRevisions").mockImplementation(async function* () {
    const page = Object.entries(revisions).map(
      ([id, statuses]): Properties => ({
        id,
        status: next(id, statuses),
        created_at: made[id],
      }),
    );
    yield page.filter(({ status }) => status !== undefined);
  });
  const deployment = () => ({ id: "d", latest_revision_id: next("latest", latest) });
  jest.spyOn(service.directory, "current").mockImplementation(async () => new Map([["d", deployment()]]));
  const messages: string[] = [];
  const progress: string[] = [];
  const outcome = await waitForRollout(service.poller, {
    deploymentId: "d",
    resource: { id: "d", latest_revision_id: startsWithout ? null : "r1" },
    timeoutSeconds,
    tell: async (words) => void messages.push(String(words)),
    ...(keepsLines ? {} : { progress: async (words) => void progress.push(String(words)) }),
  });
  return { outcome, told: messages, progress, clock };
}

test("the wait reports each status with its duration, and succeeds when the revision is deployed", async () => {
  const { outcome, told, clock } = await waited({
    revisions: { r1: ["CREATING", "CREATING", "BUILDING", "BUILDING", "BUILDING", "DEPLOYED"] },
    keepsLines: true,
  });
  expect(outcome).toMatchObject({ end: "deployed", revisionId: "r1", status: "DEPLOYED" });
  expect(outcome.steps.map(({ status }) => status)).toEqual(["CREATING", "BUILDING", "DEPLOYED"]);
  // The first pause is 1 s long; later pauses are a tenth of the time waited.
  expect(clock.slept.slice(0, 3)).toEqual([1_000, 1_000, 1_000]);
  expect(clock.slept.slice(0, 10).every((pause) => pause === 1_000)).toBe(true);
  expect(clock.slept[12]).toBeGreaterThan(1_100);
  expect(Math.max(...clock.slept)).toBeLessThanOrEqual(10_000);
  expect(told).toEqual([
    "revision r1 is CREATING after 1 s",
    expect.stringMatching(/^revision r1 is BUILDING after \d\d(\.\d)? s$/),
  ]);
  expect(String(describeSteps(outcome.steps))).toMatch(
    /^ \(CREATING [\d.]+ s, BUILDING [\d.]+ s, DEPLOYED\)$/,
  );
  // A deployment that waits for its database has no revision and no steps, so the text about the steps is empty.
  expect(String(describeSteps([]))).toBe("");
});

test.each(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "MIGRATE_FAILED", "SKIPPED", "INTERRUPTED"])(
  "if a revision is %s and no newer revision exists, the wait ends with a failure",
  async (status) => {
    const { outcome, told } = await waited({ revisions: { r1: ["BUILDING", status] }, keepsLines: true });
    expect(outcome).toMatchObject({ end: "failed", revisionId: "r1", status });
    expect(told.at(-1)).toContain(`revision r1 is ${status}`);
  },
);

test.each(["SKIPPED", "INTERRUPTED"])(
  "if a revision is %s and a newer revision exists, the wait reports the newer revision and follows it",
  async (status) => {
    const { outcome, told } = await waited({
      revisions: { r1: ["BUILDING", status], r2: ["QUEUED", "QUEUED", "QUEUED", "DEPLOYED"] },
      latest: ["r2"],
      made: { r1: "2030-01-01T00:00:00Z", r2: "2030-01-01T00:00:01Z" },
    });
    expect(outcome).toMatchObject({ end: "deployed", revisionId: "r2", status: "DEPLOYED" });
    expect(told).toContain(`revision r1 was ${status}; following the newer revision r2`);
  },
);

test("a skipped revision does not count as deployed if the service names the previous revision as the latest", async () => {
  const { outcome } = await waited({
    revisions: { r1: ["SKIPPED"], r0: ["DEPLOYED"] },
    latest: ["r0"],
    made: { r0: "2030-01-01T00:00:00Z", r1: "2030-01-01T00:00:01Z" },
  });
  expect(outcome).toMatchObject({ end: "failed", revisionId: "r1", status: "SKIPPED" });
});

test.each(["UNKNOWN", "TESTING", undefined])("the wait continues while the status is %s", async (status) => {
  const { outcome } = await waited({ revisions: { r1: [status, status, "DEPLOYED"] } });
  expect(outcome.end).toBe("deployed");
});

test("the wait ends precisely at its time-out, and reports the last status", async () => {
  const { outcome, clock } = await waited({ revisions: { r1: ["QUEUED", "BUILDING"] }, timeoutSeconds: 30 });
  expect(outcome).toMatchObject({ end: "timeout", revisionId: "r1", status: "BUILDING", seconds: 30 });
  expect(clock.slept.reduce((sum, pause) => sum + pause)).toBeCloseTo(30_000, 1);
  expect(Math.max(...clock.slept)).toBeLessThanOrEqual(3_000);
});

test("if no revision ever appears, the wait times out without a revision id", async () => {
  const { outcome, told } = await waited({
    revisions: {},
    latest: [null],
    startsWithout: true,
    timeoutSeconds: 3,
  });
  expect(outcome).toEqual({
    end: "timeout",
    revisionId: undefined,
    status: undefined,
    endOfLog: "",
    steps: [],
    seconds: 3,
  });
  expect(told).toEqual([]);
});

test("if the host erases progress lines, a long wait shows the status at the start and about once a minute, and leaves no permanent line", async () => {
  const {
    progress: all,
    outcome,
    told,
  } = await waited({
    revisions: { r1: [...Array(40).fill("BUILDING"), "DEPLOYED"] },
    timeoutSeconds: 1_800,
  });
  expect([outcome.end, told]).toEqual(["deployed", []]);
  const [atOnce, ...progress] = all;
  expect(atOnce).toBe("BUILDING, 1 s");
  expect(progress.length).toBeGreaterThan(2);
  for (const words of progress) expect(words).toMatch(/^BUILDING, \d+ s$/);
  const seconds = progress.map((words) => Number(/\d+/.exec(words)?.[0]));
  expect(seconds[0]).toBeGreaterThanOrEqual(10);
  expect(progress.length).toBeLessThanOrEqual(4 + outcome.seconds / 60);
});

test("if the service stops answering, the wait still ends at the deadline", async () => {
  let ring = () => {};
  const started = Date.now();
  let now = started;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
    alarm: (milliseconds: number, rings: () => void) => {
      const at = now + milliseconds;
      ring = () => {
        now = at;
        rings();
      };
      return () => {};
    },
  };
  const { service } = await provided({}, {}, clock);
  const deployment = { id: "d", latest_revision_id: "r" };
  jest.spyOn(service.directory, "current").mockImplementation(async () => new Map([["d", deployment]]));
  let looks = 0;
  jest.spyOn(service.endpoints, "listRevisions").mockImplementation(async function* () {
    looks += 1;
    if (looks === 3) {
      ring();
      await new Promise(() => {});
    }
    yield [{ id: "r", status: "BUILDING" }];
  });
  const resource = { id: "d", latest_revision_id: "r" };
  const wait = { deploymentId: "d", resource, timeoutSeconds: 60, tell: async () => {} };
  const outcome = await waitForRollout(service.poller, wait);
  expect(outcome).toMatchObject({ end: "timeout", revisionId: "r", status: "BUILDING", seconds: 60.5 });
});
