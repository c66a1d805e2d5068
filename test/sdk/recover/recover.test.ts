import * as fc from "fast-check";
import type { Properties } from "../../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { type Recovered, recover } from "../../../sdk/recover/recover";
import { linesOf } from "../../../sdk/recover/show";
import { pendingStateIn } from "../../../sdk/recover/state";
import { ask, created, started } from "../../support/embeddedService";
import {
  attemptFiles,
  attemptsIn,
  bare,
  changed,
  journalFolder,
  nextRun,
  recorded,
} from "../../support/interruptedRun";
import { chat, failureOf, URN } from "../../support/providerRun";
import { type Export, pendingExport, urnOf } from "../../support/recover/pendingExport";
import { createDeployment, deployment, updateDeployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const KEY = "key-of-the-service";
const A_MINUTE = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();
const writes = (emulator: Emulator) =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

interface Recovery {
  readonly recovered: readonly Recovered[];
  readonly lines: readonly string[];
}

interface Machine {
  readonly emulator: Emulator;
  readonly journal: string;
  readonly checks?: boolean;
  readonly settings?: Properties;
}

/** Recovers the export on a machine with that journal, as `npx --no-install deployment-control recover` does. */
async function recovering(
  state: Omit<Export, "settings">,
  { emulator, journal, checks = false, settings = {} }: Machine,
): Promise<Recovery> {
  emulator.requests.length = 0;
  const text = pendingExport({
    ...state,
    settings: { baseUrl: emulator.url, journal, apiKey: KEY, ...settings },
  });
  const recovered = await recover(pendingStateIn({ text, name: "the export" }), {
    since: at(Date.now() - A_MINUTE),
    checks,
    environment: process.env,
    clock: sharedClock(),
  });
  expect(emulator.requests).toEqual([]);
  return { recovered, lines: linesOf(recovered, checks) };
}

/** The request body of a creation with these inputs. `change` replaces fields of the body. */
const wireOf = (inputs: Properties, change: object = {}) => ({
  name: inputs.name,
  source: inputs.source,
  source_config: { build_on_push: true },
  source_revision_config: { repo_ref: "main" },
  secrets: Object.entries((inputs.secrets ?? {}) as Properties).map(([name, value]) => ({ name, value })),
  ...change,
});

const kinds = ({ recovered }: Recovery) => recovered.map(({ outcome }) => outcome.kind);
const creating = (inputs: Properties = chat, urn = URN) => ({ type: "creating", urn, inputs }) as const;

/** Recovers the creation, and creates the deployment in the next run. */
async function upAfter(machine: Machine, inputs: Properties = chat) {
  const recovery = await recovering({ pending: [creating(inputs)] }, machine);
  expect(kinds(recovery)).toEqual(["recorded"]);
  const run = nextRun(machine.emulator, machine.journal, {
    apiKey: KEY,
    ...(machine.settings as { profile?: string }),
  });
  return { ...run, recovery, creating: createDeployment(run.session, inputs) };
}

test("recover records a pending creation, and the next run takes over the service's deployment without a write", async () => {
  const [journal, emulator] = [journalFolder(), await started({ apiKey: KEY })];
  const { id } = (await ask(emulator, "POST", "/v2/deployments", wireOf(chat), { "x-api-key": KEY })).body;
  const { recovery, creating, warnings } = await upAfter({ emulator, journal });
  expect(recovery.lines).toEqual([
    'deployment "chat" has its creation in the journal now: the next `pulumi up` finds out what became of it, if the program still declares it',
    "1 operation pending",
  ]);
  expect(await creating).toMatchObject({ id, outputs: { rolloutState: "deployed" } });
  expect(writes(emulator)).toEqual([]);
  expect(warnings()[0]).toContain(`takes over ${id}`);
});

const stackDeployment = (emulator: Emulator) => created(emulator, wireOf(chat));

test("the creation stays in doubt if the service shows a value that differs from the sent value", async () => {
  const profile = "langsmith";
  const options = { profile, secretsInResponses: "echoed", apiKey: KEY } as const;
  const [journal, emulator] = [journalFolder(), await started(options)];
  const inputs = {
    ...chat,
    source: "external_docker",
    sourceConfig: undefined,
    sourceRevisionConfig: { imageUri: "a:1" },
  };
  const body = { source_config: {}, source_revision_config: { image_uri: "a:1" } };
  const wire = wireOf(inputs, { ...body, secrets: [{ name: "TOKEN", value: "another-value" }] });
  await ask(emulator, "POST", "/v2/deployments", wire, { "x-api-key": KEY });
  const { creating } = await upAfter({ emulator, journal, settings: { profile } }, inputs);
  expect((await failureOf(creating)).message).toContain("its secrets are not those");
});

test("the next run waits until a recovered request can no longer arrive, and then creates the deployment", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const { creating, told } = await upAfter({ emulator, journal });
  await creating;
  expect(told[0]).toMatch(/its request may still arrive: waiting \d+ s at most/);
  expect([writes(emulator), emulator.deployments().length]).toEqual([["POST"], 1]);
});

test("each operation is recorded with the service of its provider and connection", async () => {
  const [journal, emulator, second] = [journalFolder(), await started(), await started()];
  process.env.DEPLOYMENT_CONTROL_BASE_URL = emulator.url;
  try {
    const explicit = { name: "second", settings: { baseUrl: second.url, journal } };
    const urn = "urn:pulumi:dev::app::teams:Team$deployment-control:index:Deployment::chat";
    const connected = { ...chat, connection: "far" };
    const settings = { connections: JSON.stringify({ far: { baseUrl: second.url } }) };
    const pending = [
      creating(),
      // An explicit provider does not take the address from the environment.
      { ...creating(chat, urn), provider: explicit },
      creating(connected, urnOf("other")),
    ];
    expect(kinds(await recovering({ pending }, { emulator, journal, settings }))).toEqual(
      pending.map(() => "recorded"),
    );
    const services = attemptsIn(journal).map(
      ({ urn, serviceUrl }) => `${urn.split("::").at(-1)} ${serviceUrl}`,
    );
    expect(services.sort()).toEqual(
      [`chat ${emulator.url}`, `chat ${second.url}`, `other ${second.url}`].sort(),
    );
  } finally {
    delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
  }
});

test("a pending creation is settled if the state already has its resource", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const { id } = await stackDeployment(emulator);
  const resources = [{ id, inputs: chat, outputs: { ...chat, serviceUrl: emulator.url } }];
  const recovery = await recovering({ pending: [creating()], resources }, { emulator, journal });
  expect(recovery.lines).toEqual([
    expect.stringContaining("1 pending creation settled"),
    "0 operations pending",
  ]);
  expect(recovery.lines[0]).toContain("pulumi refresh --clear-pending-creates");
  // The state has the same deployment under a different URN, so the pending creation did not make the deployment.
  const other = { pending: [creating(chat, urnOf("other"))], resources };
  await recovering(other, { emulator, journal });
  expect(attemptsIn(journal)).toMatchObject([{ known: expect.arrayContaining([id]), evidence: "shown" }]);
});

test("an attempt that is already in this machine's journal is left to the next run", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  await recovering({ pending: [creating()] }, { emulator, journal });
  const attempts = attemptsIn(journal);
  expect(kinds(await recovering({ pending: [creating()] }, { emulator, journal }))).toEqual(["journalled"]);
  expect(attemptsIn(journal)).toEqual(attempts);
});

test("if the journal is off or cannot be written, the command fails and says why", async () => {
  const emulator = await started();
  const off = recovering({ pending: [creating()] }, { emulator, journal: "off" });
  expect((await failureOf(off)).message).toContain("the journal is off");
  const warned = jest.spyOn(console, "error").mockImplementation();
  const unwritable = recovering({ pending: [creating()] }, { emulator, journal: `${__filename}/journal` });
  expect((await failureOf(unwritable)).message).toContain("the journal cannot be written");
  expect(warned.mock.calls.join()).toContain("cannot be used");
  warned.mockRestore();
});

test("a creation that adopts by name adopts the deployment with this name, and a creation that adopts by id is repeatable", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const { id } = await stackDeployment(emulator);
  emulator.change(id, { created_at: at(Date.now() - 2 * A_MINUTE) });
  const { creating: adopting } = await upAfter({ emulator, journal }, { ...chat, adopt: true });
  expect((await adopting).id).toBe(id);
  const byId = await recovering(
    { pending: [creating({ ...chat, adopt: id })] },
    { emulator, journal: journalFolder() },
  );
  expect(kinds(byId)).toEqual(["repeatable"]);
});

test("recover leaves a listener's creation to the next run, and ignores a pending deletion", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const urn = URN.replace("Deployment::chat", "Listener::east");
  const pending = [
    { type: "creating", urn, inputs: { computeType: "k8s", computeId: "east" } },
    { type: "deleting", inputs: chat },
  ] as const;
  expect(kinds(await recovering({ pending }, { emulator, journal }))).toEqual(["repeatable"]);
});

test("after recover, the next run of a reverted program also reverts an update in place that was killed after it took effect", async () => {
  const run = await recorded();
  const journal = journalFolder();
  const inPlace = { ...bare, sourceConfig: { buildOnPush: false } };
  run.emulator.change(run.id, { source_config: { build_on_push: false } });
  expect(kinds(await recovering(updating(run, inPlace), { ...run, journal }))).toEqual(["recorded"]);
  await run.next(bare, run.outputs, { journal });
  expect(run.patches()).toEqual([{ source_config: { build_on_push: true } }]);
  expect(run.revisions()).toBe(1);
});

type Recorded = Awaited<ReturnType<typeof recorded>>;

const updating = (
  { id, outputs }: Pick<Recorded, "id" | "outputs">,
  news: Properties,
  inputs: Properties = bare,
) => ({
  resources: [{ id, inputs, outputs }],
  pending: [{ type: "updating", inputs: news }] as const,
});

test("the next run on another machine takes over an update that has already made its revision", async () => {
  const run = await recorded();
  run.emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  await run.kill();
  const journal = journalFolder();
  expect(kinds(await recovering(updating(run, changed), { emulator: run.emulator, journal }))).toEqual([
    "recorded",
  ]);
  const [latest] = run.emulator.deployments()[0]?.revisions ?? [];
  const { after } = await run.next(changed, run.outputs, { journal });
  expect(run.patches()).toEqual([]);
  expect([run.revisions(), after.latestRevisionId]).toEqual([2, latest?.id]);
});

test("after recover, the plan of a reverted program says that a revision may follow, and `pulumi up` reverts the service", async () => {
  const run = await recorded(chat, {}, { apiKey: KEY });
  const news = { ...changed, secrets: { TOKEN: "rotated-secret-value" } };
  run.emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  await run.kill(news);
  const journal = journalFolder();
  await recovering(updating(run, news, chat), { emulator: run.emulator, journal });
  const plan = async (state: Properties) => {
    const later = nextRun(run.emulator, journal, { apiKey: KEY, profile: "contract" });
    const { changes } = await deployment.diff(later.session, run.id, state, chat, true);
    return [changes, later.told.join()];
  };
  expect(await plan(run.outputs)).toEqual([
    true,
    expect.stringContaining(
      "may create a new revision (it is not known whether the last update was applied: the update looks first)",
    ),
  ]);
  const { after } = await run.next(chat, run.outputs, { journal });
  expect(run.emulator.deployments()[0]).toMatchObject({
    source_revision_config: { repo_ref: "main" },
    secrets: [{ name: "TOKEN", value: "token-secret-value" }],
  });
  expect(await plan(after)).toEqual([false, ""]);
});

test("the next run sends an update that never arrived", async () => {
  const run = await recorded();
  run.emulator.failNext({ kind: "drop-before", match: { method: "PATCH" } });
  await run.kill();
  const journal = journalFolder();
  await recovering(updating(run, changed), { emulator: run.emulator, journal });
  await run.next(changed, run.outputs, { journal });
  expect([run.patches().length, run.revisions()]).toEqual([1, 2]);
});

test("a revision by someone else does not prove that an update arrived, so the update is sent", async () => {
  const run = await recorded();
  const other = { source_revision_config: { repo_ref: "other" } };
  await ask(run.emulator, "PATCH", `/v2/deployments/${run.id}`, other);
  const journal = journalFolder();
  await recovering(updating(run, changed), { emulator: run.emulator, journal });
  const { told } = await run.next(changed, run.outputs, { journal });
  expect(told.join()).toContain("nothing proves that it arrived; sending the rest of it");
  expect(run.emulator.deployments()[0]?.source_revision_config).toMatchObject({ repo_ref: "next" });
});

const inImage = {
  source: "external_docker",
  sourceConfig: undefined,
  sourceRevisionConfig: { imageUri: "a:1" },
};
const inRepository = {
  sourceConfig: { buildOnPush: true, repoUrl: "https://repohost.example.test/acme/chat" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
};
const rotatedFrom = (inputs: Properties) => ({
  ...inputs,
  secrets: { TOKEN: "rotated-secret-value" },
  revisionGeneration: 2,
  secretGenerations: { TOKEN: 2 },
});

test.each<[string, Properties, EmulatorOptions["secretsInResponses"], number, number]>([
  ["hidden values, one new revision", inImage, "masked", 0, 0],
  ["shown values, one new revision", inImage, "echoed", 0, 0],
  ["hidden values, a second new revision", inImage, "masked", 1, 1],
  ["hidden values, and a push may make a revision", inRepository, "masked", 0, 1],
])(
  "an update that rotates a secret is taken over only if nobody else could have made the revision: %s",
  async (_what, change, secretsInResponses, more, sent) => {
    const inputs = { ...chat, ...change };
    const settings = { apiKey: KEY };
    const run = await recorded(inputs, { apiKey: KEY, profile: "langsmith", secretsInResponses }, settings);
    const news = rotatedFrom(inputs);
    run.emulator.failNext({ kind: "drop-after", match: { method: "POST" } });
    await run.kill(news);
    for (let pushes = 0; pushes < more; pushes += 1) run.emulator.push(run.id);
    const journal = journalFolder();
    const options = { emulator: run.emulator, journal, settings: { profile: "langsmith" } };
    await recovering(updating(run, news, inputs), options);
    const { after } = await run.next(news, run.outputs, { journal });
    expect(writes(run.emulator)).toHaveLength(sent);
    expect(after).toMatchObject({ secrets: news.secrets, rolloutState: "deployed" });
  },
);

test("a hidden change is sent again if the visible change in the same update was made in place", async () => {
  const inputs = {
    ...chat,
    ...inRepository,
    sourceConfig: { ...inRepository.sourceConfig, buildOnPush: false },
  };
  const options = { apiKey: KEY, profile: "langsmith", secretsInResponses: "masked" } as const;
  const run = await recorded(inputs, options, { apiKey: KEY });
  const news = { ...rotatedFrom(inputs), sourceConfig: inRepository.sourceConfig };
  run.emulator.failNext({ kind: "drop-before", match: { method: "POST" } });
  await run.kill(news);
  run.emulator.push(run.id);
  const journal = journalFolder();
  await recovering(updating(run, news, inputs), {
    emulator: run.emulator,
    journal,
    settings: { profile: "langsmith" },
  });
  await run.next(news, run.outputs, { journal });
  run.emulator.behaviour.secretsInResponses = "echoed";
  expect(run.emulator.deployments()[0]?.secrets).toEqual([{ name: "TOKEN", value: "rotated-secret-value" }]);
});

test("if a pending update included another tool's release, the next run keeps this release", async () => {
  const inputs = { ...chat, ...inImage };
  const run = await recorded(inputs, { apiKey: KEY, profile: "langsmith" }, { apiKey: KEY });
  const release = { source_revision_config: { image_uri: "a:2" } };
  const revisions = `/v2/deployments/${run.id}/revisions`;
  await ask(run.emulator, "POST", revisions, release, { "x-api-key": KEY });
  const news = rotatedFrom(inputs);
  run.emulator.failNext({ kind: "drop-after", match: { method: "POST" } });
  await run.kill(news);
  const journal = journalFolder();
  const settings = { profile: "langsmith" };
  await recovering(updating(run, news, inputs), { emulator: run.emulator, journal, settings });
  const { after } = await run.next(news, run.outputs, { journal });
  expect(run.emulator.deployments()[0]?.source_revision_config).toMatchObject({ image_uri: "a:2" });
  expect(after).toMatchObject({ ...inImage, secrets: news.secrets });
});

test("an attempt whose result is already in the state does not hide another machine's pending update", async () => {
  const run = await recorded();
  const after = await updateDeployment(run.session, run.id, run.outputs, changed);
  expect(attemptFiles(run.journal)).toHaveLength(1);
  const third = { ...changed, sourceRevisionConfig: { repoRef: "third" }, revisionGeneration: 3 };
  const elsewhere = nextRun(run.emulator, journalFolder());
  await updateDeployment(elsewhere.session, run.id, after, third);
  const state = updating({ id: run.id, outputs: after }, third, changed);
  await recovering(state, { emulator: run.emulator, journal: run.journal });
  const { told } = await run.next(third, after);
  expect(told.join()).toContain("it is not sent again");
  expect(run.revisions()).toBe(3);
});

test("a pending creation on another service is not settled by a resource of the same name", async () => {
  const [journal, emulator, second] = [journalFolder(), await started(), await started()];
  const settings = { connections: JSON.stringify({ far: { baseUrl: second.url } }) };
  const resources = [{ id: "d-1", inputs: chat, outputs: { ...chat, serviceUrl: emulator.url } }];
  const pending = [creating({ ...chat, connection: "far" })];
  expect(kinds(await recovering({ pending, resources }, { emulator, journal, settings }))).toEqual([
    "recorded",
  ]);
});

/** For each case of a pending creation, a part of the error that refuses the takeover; undefined without an error. */
const REFUSALS = {
  own: undefined,
  absent: undefined,
  older: "it was created before the interrupted run asked for it",
  changed: "its source_config is not",
  revised: "its source_revision_config is not",
  otherSecrets: "its secrets are not",
  twice: "2 have appeared",
  recorded: "exists already",
};
const FATES = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[];
const CHANGES: { readonly [fate: string]: object } = {
  changed: { source_config: { build_on_push: false } },
  revised: { source_revision_config: { repo_ref: "other" } },
  otherSecrets: { secrets: [{ name: "OTHER", value: "x" }] },
};

test("for random exports, the next run takes over only the deployments of the stack, and the errors name all other deployments", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 16 }), async (fates) => {
      const [journal, emulator] = [journalFolder(), await started()];
      const recordedIds: string[] = [];
      for (const [index, fate] of fates.entries()) {
        if (fate === "absent") continue;
        const inputs = { ...chat, name: `chat-${index}` };
        const { id } = await created(emulator, wireOf(inputs, CHANGES[fate]));
        if (fate === "older") emulator.change(id, { created_at: at(Date.now() - 2 * A_MINUTE) });
        if (fate === "recorded") recordedIds.push(id);
        if (fate === "twice") emulator.change(emulator.seed(1)[0] as string, { name: inputs.name });
      }
      const pending = fates.map((_, index) =>
        creating({ ...chat, name: `chat-${index}` }, urnOf(`chat-${index}`)),
      );
      const resources = recordedIds.map((id) => ({
        id,
        urn: urnOf(`old-${id}`),
        inputs: chat,
        outputs: chat,
      }));
      const recovery = await recovering({ pending, resources }, { emulator, journal });
      expect(kinds(recovery)).toEqual(fates.map(() => "recorded"));
      expect(JSON.stringify(recovery.lines)).not.toContain("secret-value");
      const before = emulator.deployments().length;
      const { session } = nextRun(emulator, journal);
      const ends = await Promise.allSettled(
        pending.map(({ inputs, urn }) => createDeployment(session, { ...inputs, __urn: urn })),
      );
      for (const [index, end] of ends.entries()) {
        const why = REFUSALS[fates[index] as (typeof FATES)[number]];
        expect(end.status).toBe(why === undefined ? "fulfilled" : "rejected");
        if (end.status === "fulfilled") continue;
        expect(end.reason.message).toContain(why);
        for (const { id, name } of emulator.deployments())
          if (name === `chat-${index}`) expect(end.reason.message).toContain(id);
      }
      // Without a key, there is no proof that a deployment has the same secrets, so the secrets are sent again.
      const sent = fates.flatMap((fate) => (fate === "own" ? "PATCH" : fate === "absent" ? "POST" : []));
      expect(writes(emulator).sort()).toEqual(sent.sort());
      expect(emulator.deployments().length - before).toBe(fates.filter((fate) => fate === "absent").length);
    }),
    { numRuns: 20 },
  );
}, 120_000);
