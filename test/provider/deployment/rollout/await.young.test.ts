/** Waits on a service that does not show a deployment: because the deployment is new, or because it is gone. */
import type { Properties } from "../../../../provider/schema/value";
import type { EmulatorOptions } from "../../../../sdk/emulator";
import { started } from "../../../support/embeddedService";
import { json, serving } from "../../../support/httpServer";
import { chat, failureOf, sessionOn } from "../../../support/providerRun";
import { createDeployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

type Profile = NonNullable<EmulatorOptions["profile"]>;

/** A run on an embedded service whose reads deny every deployment while `isHidden` says so. */
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
  "under %s, a creation waits for a deployment that the service does not show in the first seconds",
  async (profile) => {
    const run = await hiding(profile, (seconds) => seconds >= 0 && seconds < 9);
    const { outputs } = await createDeployment(run.session, run.args());
    expect(outputs).toMatchObject({ rolloutState: "deployed", latestRevisionStatus: "DEPLOYED" });
    expect(run.passed()).toBeGreaterThanOrEqual(9);
  },
);

test.each(PROFILES)(
  "under %s, a new deployment that the service does not show for ten seconds is gone",
  async (profile) => {
    const run = await hiding(profile, (seconds) => seconds >= 0);
    const error = await failureOf(createDeployment(run.session, run.args()));
    expect(error.message).toContain(GONE);
    expect(run.passed()).toBeGreaterThan(10);
    expect(run.passed()).toBeLessThan(15);
  },
);
