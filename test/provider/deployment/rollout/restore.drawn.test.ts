/**
 * Random rollouts with a verification. The new revision replies right or wrong, fails, is silent or is never deployed,
 * with and without restore, after a right or a wrong revision. The run is killed before a random request, even inside a
 * conversation, under both profiles. `isAsTheRuleSays` says how many revisions there must be, and which revision must
 * serve.
 */
import * as fc from "fast-check";
import type { Clock } from "../../../../provider/client/clock";
import type { UnfinishedError } from "../../../../provider/failure";
import { type Properties, propertiesIn } from "../../../../provider/fields/value";
import type { ProfileName } from "../../../../provider/profiles/profiles";
import type { EngineRun, Service } from "../../../../provider/run/run";
import type { DeploymentState } from "../../../../sdk/emulator/index";
import { freshFolder } from "../../../support/journalFolder";
import { chat, failureOf, provided, sessionOn } from "../../../support/providerRun";
import { type Mood, type ProvingRuntime, provingRuntime } from "../../../support/provingRuntime";
import { createDeployment, deployment, updateDeployment } from "../../../support/resourceCalls";
import { sharedClock } from "../../../support/sharedClock";

/** Number of cases, each of which takes a third of a second. Set `DRAWS=200` for more cases. */
const DRAWS = Number(process.env.DRAWS ?? 60);
/** With an API key, the journal's MACs prove which secrets were sent. */
const KEY = "key-of-the-service";

interface Drawn {
  readonly profile: ProfileName;
  /** How the new revision replies; `broken`: the revision is never deployed. */
  readonly mood: Mood | "broken";
  readonly onFailure: "fail" | "restore";
  /** How the previous update's revision replied; nothing was restored. */
  readonly past: "right" | "wrong";
  readonly changes: { readonly [part in keyof typeof NOTHING]: boolean };
  /** Number of requests after which the run is killed; if the run sends fewer requests, it is not killed. */
  readonly killAt: number;
  /** Whether the run is killed after the service carries out a write, but before the run gets the answer. */
  readonly losesAnswer: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  profile: fc.constantFrom("contract", "langsmith"),
  mood: fc.constantFrom("right", "wrong", "failing", "silent", "broken"),
  onFailure: fc.constantFrom("fail", "restore"),
  past: fc.constantFrom("right", "right", "wrong"),
  changes: fc.record({
    secrets: fc.boolean(),
    environment: fc.boolean(),
    spec: fc.boolean(),
    // Whether the plain variables become secrets.
    move: fc.boolean(),
  }),
  killAt: fc.oneof(fc.integer({ min: 0, max: 24 }), fc.constant(1_000)),
  losesAnswer: fc.boolean(),
});

const NOTHING = { secrets: false, environment: false, spec: false, move: false };
const FIRST = {
  source: "external_docker",
  secrets: { TOKEN: "token-first-secret" },
  environment: { LEVEL: "info" },
  sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3 } },
};
const SECOND = {
  secrets: { TOKEN: "token-second-secret", EXTRA: "extra-secret-value" },
  environment: { LEVEL: "debug" },
  sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } },
};

function argumentsOf(ref: string, { changes, onFailure }: Drawn, deploymentUrl: string): Properties {
  const after = { ...FIRST } as Properties;
  if (changes.secrets) after.secrets = SECOND.secrets;
  if (changes.environment) after.environment = SECOND.environment;
  if (changes.spec) after.sourceConfig = SECOND.sourceConfig;
  if (changes.move) {
    after.secrets = { ...(after.secrets as object), ...(after.environment as object) };
    after.environment = undefined;
  }
  const verify = {
    deploymentUrl,
    assistantId: "echo",
    messages: [{ role: "user", content: "hello" }],
    expect: { contains: "hello" },
    runs: 2,
  };
  return { ...chat, ...after, sourceRevisionConfig: settingsOf(ref), rollout: { onFailure, verify } };
}

const imageOf = (ref: string): string => `registry.example/${ref}`;
const settingsOf = (ref: string): Properties => ({ imageUri: imageOf(ref) });

/** The inputs that `check` makes from the arguments and the previous inputs. */
async function checked(
  run: Parameters<typeof deployment.check>[0],
  olds: Properties | undefined,
  args: Properties,
) {
  const { revisionGeneration: _one, secretGenerations: _two, ...program } = args;
  const { inputs, failures } = await deployment.check(run, olds, program);
  expect(failures).toEqual([]);
  return inputs;
}

/**
 * A run that freezes after `killAt` requests to the control API or to the deployment: when it sends another request, or
 * before it gets the answer of a write.
 */
function killableRun({ killAt, losesAnswer }: Drawn, clock: Clock, runtime: ProvingRuntime) {
  let [requests, isKilled] = [0, false];
  let freeze = () => {};
  const frozen = new Promise<"killed">((done) => {
    freeze = () => done("killed");
  });
  const step = () => {
    requests += 1;
    if (requests > killAt) isKilled = true;
    if (isKilled) freeze();
    return isKilled;
  };
  const forever = new Promise<never>(() => undefined);
  const gate = () => (step() ? forever : Promise.resolve());
  const losingAnswer = ({ endpoints }: Service) => {
    for (const name of ["updateDeployment", "createRevision"] as const) {
      const write = endpoints[name].bind(endpoints);
      endpoints[name] = async (id, body, beforeSending) => {
        const answer = await write(id, body, beforeSending);
        if (!losesAnswer || requests < killAt) return answer;
        isKilled = true;
        freeze();
        return forever;
      };
    }
  };
  const frozenClock: Clock = {
    ...clock,
    sleep: async (...args) => {
      await clock.sleep(...args);
      if (isKilled) await forever;
    },
  };
  runtime.before = async (request) => {
    if (step()) request.destroy();
  };
  /** After the kill, the run records nothing, although a broken conversation lets it go on. */
  const recordingNothing = ({ updates }: EngineRun) => {
    const sending = updates.sending.bind(updates);
    updates.sending = (...args) => (isKilled ? forever : sending(...args));
  };
  return { gate, clock: frozenClock, frozen, losingAnswer, recordingNothing };
}

async function isAsTheRuleSays(drawn: Drawn): Promise<void> {
  const { profile, mood, onFailure, past, changes } = drawn;
  const journal = freshFolder();
  const clock = sharedClock();
  const { emulator, session } = await provided(
    { profile, revisionSeconds: 2, secretsInResponses: "named", apiKey: KEY },
    { journal, apiKey: KEY },
    clock,
  );
  const runtime = await provingRuntime(emulator);
  const sourceRevisionConfig = settingsOf("right-1");
  const first = await checked(session, undefined, { ...chat, ...FIRST, sourceRevisionConfig });
  const created = await createDeployment(session, first);
  const { id } = created;
  const url = `${runtime.url}/runtime/${id}`;
  const stored = () => emulator.deployments().find((each) => each.id === id);

  const pastDraw = { ...drawn, onFailure: "fail", changes: NOTHING } as const;
  const servedBefore = past === "right" ? "right-2" : "wrong-2";
  const before = await checked(session, first, argumentsOf(servedBefore, pastDraw, url));
  const updating = updateDeployment(session, id, created.outputs, before);
  const olds = past === "right" ? await updating : (await failureOf<UnfinishedError>(updating)).properties;
  // After a failed update, the engine still has the inputs from before the update.
  const recorded = past === "right" ? before : first;
  const revisionsBefore = stored()?.revisions.length ?? 0;

  const ref = mood === "broken" ? "right-3" : `${mood}-3`;
  const news = await checked(session, recorded, argumentsOf(ref, drawn, url));
  if (mood === "broken") emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });
  const killable = killableRun(drawn, clock, runtime);
  const settings = { profile, journal, apiKey: KEY };
  const killed = sessionOn(emulator, { ...settings, maxRetries: "0" }, killable.clock, killable.gate);
  killable.losingAnswer(killed.service);
  killable.recordingNothing(killed.session);
  const end = updateDeployment(killed.session, id, olds, news).catch((error: UnfinishedError) => error);
  let state = await Promise.race([end, killable.frozen]);
  runtime.before = async () => undefined;
  const next = () => sessionOn(emulator, settings, clock).session;
  if (state === "killed")
    state = await updateDeployment(next(), id, olds, news).catch((error: UnfinishedError) => error);

  const isBad = mood === "wrong" || mood === "failing" || mood === "broken";
  const isRestored = isBad && onFailure === "restore" && past === "right";
  const servingRef = isRestored ? "right-2" : mood === "broken" ? servedBefore : ref;
  const { revisions = [], active_revision_id: active, secrets } = stored() ?? {};
  const serving = revisions.find((revision) => revision.id === active)?.source_revision_config as Properties;
  const message = state instanceof Error ? state.message : "";
  expect([revisions.length, serving.image_uri, message]).toEqual([
    revisionsBefore + (isRestored ? 2 : 1),
    imageOf(servingRef),
    message,
  ]);
  expect(state instanceof Error).toBe(mood !== "right");
  if (past !== "right" && isBad && onFailure === "restore")
    expect(message).toContain("the rollout before this update was not a good one.");
  if (isRestored) {
    const { TOKEN, LEVEL } = { ...FIRST.secrets, ...FIRST.environment };
    expect(secrets).toEqual([
      { name: "LEVEL", value: LEVEL },
      { name: "TOKEN", value: TOKEN },
    ]);
    const { environment } = (state as UnfinishedError).properties;
    expect(Object.keys(propertiesIn(environment))).toEqual(["LEVEL"]);
    expect(JSON.stringify(secrets)).not.toContain("second");
    expect(stored()?.source_config.resource_spec).toMatchObject({ min_scale: 1 });
  } else if (changes.spec) expect(stored()?.source_config.resource_spec).toMatchObject({ min_scale: 2 });
  const after = state instanceof Error ? state.properties : state;
  if (mood === "silent") {
    emulator.requests.length = 0;
    await failureOf(updateDeployment(next(), id, after, news));
    runtime.mood = "right";
    await updateDeployment(next(), id, after, news);
    expect(
      emulator.requests.filter(({ method }) => method !== "GET").filter(({ path }) => path.startsWith("/v2")),
    ).toEqual([]);
  }
  // A failed or finished rollout does not hold up the next one.
  const repaired = await checked(
    next(),
    state instanceof Error ? recorded : news,
    argumentsOf("right-4", drawn, url),
  );
  await updateDeployment(next(), id, after, repaired);
  const { latest_revision_id: latest, active_revision_id: current, ...rest } = stored() as DeploymentState;
  expect([rest.revisions.length, current]).toEqual([revisions.length + 1, latest]);
}

test(`${DRAWS} random rollouts make the expected revisions and serve the expected revision, wherever their runs are killed`, async () => {
  await fc.assert(fc.asyncProperty(drawn, isAsTheRuleSays), { numRuns: DRAWS });
}, 600_000);
