import { shownFailure } from "../../../../provider/engine/engine";
import type { UnfinishedError } from "../../../../provider/failure";
import type { Properties } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { createdDeployment } from "../../../support/createdDeployment";
import { started } from "../../../support/embeddedService";
import { json, serving } from "../../../support/httpServer";
import { chat, failureOf, sessionOn } from "../../../support/providerRun";
import { createDeployment, deployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

const next = { ...chat, sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 };

const running = (options: EmulatorOptions = {}) => createdDeployment(chat, options, {}, sharedClock());

test("the error about a failed revision shows the revision's steps and the serving revision, and the state keeps the failure", async () => {
  const { emulator, outputs, update } = await running({ revisionSeconds: 3 });
  emulator.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  const error = await failureOf<UnfinishedError>(update(next));
  expect(error.message).toMatch(
    new RegExp(
      `revision \\S+ ended DEPLOY_FAILED after .* s \\(.*DEPLOY_FAILED\\)\\. Revision ${outputs.activeRevisionId} is still serving\\. The next update makes the revision again`,
    ),
  );
  expect(error.properties).toMatchObject({
    rolloutState: "failed",
    latestRevisionStatus: "DEPLOY_FAILED",
    sourceRevisionConfig: { repoRef: "next" },
  });
});

test.each(["fail", "restore"])(
  "the error about a failed revision gives the reason in the service's words, masked and on one line (onFailure %s)",
  async (onFailure) => {
    const { emulator, update } = await running();
    const message = `exit code 1:\n  no \u001b[31m${chat.secrets.TOKEN}\u001b[0m`;
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED", message });
    const error = await failureOf<UnfinishedError>(update({ ...next, rollout: { onFailure } }));
    expect(shownFailure(error)).toContain(
      "The service says: exit code 1: no \\u001b[31m[secret]\\u001b[0m. ",
    );
  },
);

test("the next update resumes an interrupted wait, and sends no second PATCH", async () => {
  const { emulator, session, id, update, sent } = await running();
  emulator.behaviour.revisionSeconds = 600;
  const news = { ...next, rollout: { timeoutSeconds: 1 } };
  const error = await failureOf<UnfinishedError>(update(news));
  expect(error.message).toMatch(
    /was not deployed within 1(\.\d)? s, last seen CREATING.*The next update resumes the wait/,
  );
  expect(error.properties.rolloutState).toBe("unfinished");
  const plan = await deployment.diff(session, id, error.properties, news, true);
  expect(plan.changes).toBe(true);
  emulator.settle(id, "DEPLOYED");
  sent();
  expect(await update(news, error.properties)).toMatchObject({ rolloutState: "deployed" });
  expect(sent().filter((request) => request.startsWith("PATCH"))).toEqual([]);
});

// In the next tests, the service does not show the new deployment, either for a short time or for good.

type Profile = NonNullable<EmulatorOptions["profile"]>;

/**
 * A run on an embedded service. While `isHidden` returns true, the service answers every GET as if it had no
 * deployments.
 */
async function hiding(profile: Profile, isHidden: (secondsSincePost: number) => boolean) {
  const clock = sharedClock();
  const emulator = await started({ profile, revisionSeconds: 3 });
  let postedAt: number | undefined;
  /** Seconds since the POST; negative before it. */
  const passed = () => (postedAt === undefined ? -1 : (clock.now() - postedAt) / 1000);
  const front = await serving(async ({ method, url, body }, response) => {
    const answer = (content: unknown, status = 200) =>
      json(response, content, status, { date: new Date(clock.now()).toUTCString() });
    if (method === "GET" && isHidden(passed()))
      return url.split("?")[0] === "/v2/deployments"
        ? answer({ resources: [], offset: 0 })
        : answer({ detail: "none" }, 404);
    const options = { method, headers: { "content-type": "application/json" }, ...(body && { body }) };
    const answered = await fetch(emulator.url + url, options);
    if (method === "POST") postedAt = clock.now();
    return answer(await answered.json(), answered.status);
  }, profile);
  const { session } = sessionOn(emulator, { baseUrl: front.url, profile }, clock);
  const built = { repoRef: "main", graphConfigPath: "graph.json" };
  const args = (more: Properties = {}): Properties => ({ ...chat, sourceRevisionConfig: built, ...more });
  return { emulator, clock, session, args, passed };
}

const PROFILES = ["contract", "langsmith"] as const;
const GONE = "the service no longer has the deployment (not on the service)";

test.each(PROFILES)(
  "under %s, a creation waits for a deployment that the service does not show for the first few seconds",
  async (profile) => {
    const run = await hiding(profile, (seconds) => seconds >= 0 && seconds < 9);
    const { outputs } = await createDeployment(run.session, run.args());
    expect(outputs).toMatchObject({ rolloutState: "deployed", latestRevisionStatus: "DEPLOYED" });
    expect(run.passed()).toBeGreaterThanOrEqual(9);
  },
);

test.each(PROFILES)(
  "under %s, a new deployment that the service does not show for ten seconds counts as gone",
  async (profile) => {
    const run = await hiding(profile, (seconds) => seconds >= 0);
    const error = await failureOf(createDeployment(run.session, run.args()));
    expect(error.message).toContain(GONE);
    expect(run.passed()).toBeGreaterThanOrEqual(10);
    expect(run.passed()).toBeLessThan(15);
  },
);
