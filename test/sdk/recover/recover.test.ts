import * as fc from "fast-check";
import type { Properties } from "../../../provider/schema/value";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { type Recovered, recover } from "../../../sdk/recover/recover";
import { linesOf } from "../../../sdk/recover/show";
import { pendingStateIn } from "../../../sdk/recover/state";
import { ask, created, heldRequests, started } from "../../support/embeddedService";
import {
  bare,
  changed,
  entriesIn,
  entryFiles,
  journalFolder,
  nextRun,
  recorded,
  untilRead,
} from "../../support/interruptedRun";
import { chat, failureOf, URN } from "../../support/providerRun";
import { type Export, pendingExport, urnOf } from "../../support/recover/pendingExport";
import { createDeployment, deployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const KEY = "key-of-the-service";
const A_MINUTE = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();
const writes = (emulator: Emulator) =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

interface Recovery {
  readonly recovered: readonly Recovered[];
  readonly lines: readonly string[];
  readonly progress: readonly string[];
}

/** Recovers the export on a machine with that journal, as `npx --no-install deployment-control recover` does. */
async function recovering(
  state: Omit<Export, "settings">,
  {
    emulator,
    journal,
    checks = false,
    settings = {},
    since = Date.now() - A_MINUTE,
  }: {
    emulator: Emulator;
    journal: string;
    checks?: boolean;
    settings?: Properties;
    since?: number;
  },
): Promise<Recovery> {
  emulator.requests.length = 0;
  const text = pendingExport({
    ...state,
    settings: { baseUrl: emulator.url, journal, apiKey: KEY, ...settings },
  });
  const progress: string[] = [];
  const recovered = await recover(pendingStateIn({ text, name: "the export" }), {
    since: at(since),
    checks,
    environment: process.env,
    say: (line) => void progress.push(line),
    clock: sharedClock(),
  });
  return { recovered, lines: linesOf(recovered, checks), progress };
}

/** The service's deployment after a creation with these inputs. */
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

test("the next run takes over a creation that the service shows, and sends nothing", async () => {
  const [journal, emulator] = [journalFolder(), await started({ apiKey: KEY })];
  const { id } = (await ask(emulator, "POST", "/v2/deployments", wireOf(chat), { "x-api-key": KEY })).body;
  const recovery = await recovering({ pending: [creating()] }, { emulator, journal });
  expect(recovery.lines).toEqual([
    `deployment "chat" was created by the killed run (id ${id}); the next update takes it over`,
    "1 to take over, 0 to repeat, 0 in doubt",
  ]);
  expect([recovery.progress, writes(emulator)]).toEqual([[], []]);
  const { session, warnings } = nextRun(emulator, journal, { apiKey: KEY });
  expect(await createDeployment(session, chat)).toMatchObject({ id, outputs: { rolloutState: "deployed" } });
  expect(writes(emulator)).toEqual([]);
  expect(warnings()[0]).toContain(`takes over ${id}`);
});

const stackDeployment = (emulator: Emulator) => created(emulator, wireOf(chat));

test.each<[string, (emulator: Emulator) => Promise<unknown>]>([
  [
    "it was not created since",
    async (emulator) => {
      const { id } = await stackDeployment(emulator);
      emulator.change(id, { created_at: at(Date.now() - 2 * A_MINUTE) });
    },
  ],
  [
    "its source_revision_config is not",
    (emulator) => created(emulator, wireOf(chat, { source_revision_config: { repo_ref: "other" } })),
  ],
  [
    "its secrets are not",
    (emulator) => created(emulator, wireOf(chat, { secrets: [{ name: "OTHER", value: "x" }] })),
  ],
  [
    "2 deployments are named",
    async (emulator) => {
      await stackDeployment(emulator);
      const [id = ""] = emulator.seed(1);
      emulator.change(id, { name: "chat" });
    },
  ],
  [
    "it has 2 revisions",
    async (emulator) => {
      const { id } = await stackDeployment(emulator);
      emulator.push(id);
    },
  ],
])("%s: a deployment that is not provably the stack's own is named but not taken over", async (why, make) => {
  const [journal, emulator] = [journalFolder(), await started()];
  await make(emulator);
  const recovery = await recovering({ pending: [creating()] }, { emulator, journal });
  expect(kinds(recovery)).toEqual(["doubtful"]);
  expect(recovery.lines[0]).toContain(`in doubt: ${why}`);
  for (const { id } of emulator.deployments().filter(({ name }) => name === "chat"))
    expect(recovery.lines[0]).toContain(id);
  expect([entryFiles(journal), writes(emulator)]).toEqual([[], []]);
});

test("a value that the service shows must equal the sent value, or the creation stays in doubt", async () => {
  const options = { profile: "langsmith", secretsInResponses: "echoed" } as const;
  const [journal, emulator] = [journalFolder(), await started(options)];
  const inputs = {
    ...chat,
    source: "external_docker",
    sourceConfig: undefined,
    sourceRevisionConfig: { imageUri: "a:1" },
  };
  const body = { source_config: {}, source_revision_config: { image_uri: "a:1" } };
  await created(emulator, wireOf(inputs, { ...body, secrets: [{ name: "TOKEN", value: "another-value" }] }));
  const settings = { profile: "langsmith" };
  const recovery = await recovering({ pending: [creating(inputs)] }, { emulator, journal, settings });
  expect(recovery.lines[0]).toContain("in doubt: its variables are not those that were sent");
});

test("the command waits until a request can no longer arrive, and then reports that it had no effect", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const recovery = await recovering({ pending: [creating()] }, { emulator, journal });
  expect(recovery.progress).toEqual([
    expect.stringMatching(/^waiting 40 s: .* deployment "chat" may still arrive$/),
  ]);
  expect(kinds(recovery)).toEqual(["absent"]);
  expect(entryFiles(journal)).toEqual([]);
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: { method: "POST" } });
  emulator.requests.length = 0;
  const late = ask(emulator, "POST", "/v2/deployments", wireOf(chat));
  const recovery2 = recovering({ pending: [creating()] }, { emulator, journal });
  await untilRead(emulator);
  release();
  expect(kinds(await recovery2)).toEqual(["proven"]);
  await late;
});

test("a creation is looked up only on the service of the resource's own provider, even within a component", async () => {
  const [journal, emulator, second] = [journalFolder(), await started(), await started()];
  const explicit = { name: "second", settings: { baseUrl: second.url, journal } };
  const urn = "urn:pulumi:dev::app::teams:Team$deployment-control:index:Deployment::chat";
  const pending = [creating(), { ...creating(chat, urn), provider: explicit }];
  const { id } = await stackDeployment(second);
  const recovery = await recovering({ pending }, { emulator, journal });
  expect(kinds(recovery)).toEqual(["absent", "proven"]);
  expect(recovery.lines[1]).toContain(id);
  expect(entryFiles(journal)).toHaveLength(1);
});

test("an explicit provider does not take the address from the environment", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  process.env.DEPLOYMENT_CONTROL_BASE_URL = emulator.url;
  const second = await started();
  const explicit = { name: "second", settings: { baseUrl: second.url, journal } };
  try {
    await stackDeployment(second);
    const pending = [{ ...creating(), provider: explicit }];
    expect(kinds(await recovering({ pending }, { emulator, journal }))).toEqual(["proven"]);
    expect(emulator.requests).toEqual([]);
  } finally {
    delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
  }
});

test("a creation through a connection is looked up only in the account of that connection", async () => {
  const [journal, emulator, second] = [journalFolder(), await started(), await started()];
  const connected = { ...chat, connection: "far" };
  const settings = { connections: JSON.stringify({ far: { baseUrl: second.url } }) };
  const pending = [creating(), creating(connected, urnOf("other"))];
  const { id } = await stackDeployment(second);
  const recovery = await recovering({ pending }, { emulator, journal, settings });
  expect(kinds(recovery)).toEqual(["absent", "proven"]);
  expect(recovery.lines[1]).toContain(id);
});

test("--check writes nothing and does not wait, so a request that may still arrive is in doubt", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const options = { emulator, journal, checks: true };
  const recovery = await recovering({ pending: [creating()] }, options);
  expect([kinds(recovery), recovery.progress]).toEqual([["underWay"], []]);
  await stackDeployment(emulator);
  const second = await recovering({ pending: [creating()] }, options);
  expect(second.lines[0]).toContain("without --check, the next update would take it over");
  expect(entryFiles(journal)).toEqual([]);
});

test("a pending creation whose resource is already in the state is settled without a request", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const { id } = await stackDeployment(emulator);
  const resources = [{ id, inputs: chat, outputs: { ...chat, serviceUrl: emulator.url } }];
  const recovery = await recovering({ pending: [creating()], resources }, { emulator, journal });
  expect(recovery.lines).toEqual([
    expect.stringContaining("1 pending creation settled"),
    "0 to take over, 0 to repeat, 0 in doubt",
  ]);
  expect(recovery.lines[0]).toContain("pulumi refresh --clear-pending-creates");
  expect(emulator.requests).toEqual([]);
  // The state has the same deployment under another URN, so the pending creation did not make the deployment.
  const other = await recovering(
    { pending: [creating(chat, urnOf("other"))], resources },
    { emulator, journal },
  );
  expect(kinds(other)).toEqual(["absent"]);
});

test("an entry that is already in this machine's journal is left to the next run", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  await stackDeployment(emulator);
  await recovering({ pending: [creating()] }, { emulator, journal });
  const entries = entriesIn(journal);
  expect(kinds(await recovering({ pending: [creating()] }, { emulator, journal }))).toEqual(["journalled"]);
  expect(entriesIn(journal)).toEqual(entries);
  expect(emulator.requests).toEqual([]);
});

test("if the export has no secrets, the next run sends the program's secrets again", async () => {
  const [journal, emulator] = [journalFolder(), await started({ apiKey: KEY })];
  await ask(emulator, "POST", "/v2/deployments", wireOf(chat), { "x-api-key": KEY });
  const text = pendingExport({ settings: {}, pending: [creating()], sealed: true });
  const state = pendingStateIn({ text, name: "the export" });
  expect(state.operations[0]?.inputs.isSealed).toBe(true);
  const environment = {
    ...process.env,
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    DEPLOYMENT_CONTROL_API_KEY: KEY,
    DEPLOYMENT_CONTROL_JOURNAL: journal,
  };
  const since = at(Date.now() - A_MINUTE);
  const recovered = await recover(state, {
    since,
    checks: false,
    environment,
    say: () => undefined,
    clock: sharedClock(),
  });
  expect(recovered).toMatchObject([{ outcome: { kind: "proven" } }]);
  const { session } = nextRun(emulator, journal, { apiKey: KEY });
  await createDeployment(session, chat);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toMatchObject([
    { method: "PATCH", body: { secrets: [{ name: "TOKEN", value: "token-secret-value" }] } },
  ]);
});

test("if the journal is off or cannot be written, the command fails and promises no takeover", async () => {
  const emulator = await started();
  await stackDeployment(emulator);
  const off = recovering({ pending: [creating()] }, { emulator, journal: "off" });
  expect((await failureOf(off)).message).toContain("the journal is off");
  const warned = jest.spyOn(console, "error").mockImplementation();
  const unwritable = recovering({ pending: [creating()] }, { emulator, journal: `${__filename}/journal` });
  expect((await failureOf(unwritable)).message).toContain("the journal does not keep what was proven");
  expect(warned.mock.calls.join()).toContain("cannot be used");
  warned.mockRestore();
});

test.each([true, "identical"])(
  "a creation with adopt: %j is left to the next run, unless the creation itself made the deployment",
  async (adopt) => {
    const [journal, emulator] = [journalFolder(), await started()];
    const { id } = await stackDeployment(emulator);
    const adopting = { ...chat, adopt };
    expect(kinds(await recovering({ pending: [creating(adopting)] }, { emulator, journal }))).toEqual([
      "proven",
    ]);
    emulator.change(id, { created_at: at(Date.now() - 2 * A_MINUTE) });
    const fresh = { emulator, journal: journalFolder() };
    expect(kinds(await recovering({ pending: [creating(adopting)] }, fresh))).toEqual(["repeatable"]);
    const byId = { ...chat, adopt: id };
    expect(kinds(await recovering({ pending: [creating(byId)] }, fresh))).toEqual(["repeatable"]);
  },
);

test("a listener's creation and an update in place are left for the next run to repeat, and a deletion is not looked up", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  const urn = URN.replace("Deployment::chat", "Listener::east");
  const pending = [
    { type: "creating", urn, inputs: { computeType: "k8s", computeId: "east" } },
    { type: "deleting", inputs: chat },
  ] as const;
  expect(kinds(await recovering({ pending }, { emulator, journal }))).toEqual(["repeatable"]);
  const run = await recorded();
  const inPlace = { ...bare, sourceConfig: { buildOnPush: false } };
  const recovery = await recovering(updating(run, inPlace), { emulator: run.emulator, journal });
  expect([kinds(recovery), run.emulator.requests]).toEqual([["repeatable"], []]);
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

test("the next run on another machine takes over an update that made its revision", async () => {
  const run = await recorded();
  run.emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  await run.kill();
  const journal = journalFolder();
  const recovery = await recovering(updating(run, changed), { emulator: run.emulator, journal });
  const [latest] = run.emulator.deployments()[0]?.revisions ?? [];
  expect(recovery.lines[0]).toBe(
    `deployment "chat" got revision ${latest?.id} from the killed run; the next update takes it over`,
  );
  // The PATCH may have been sent up to one request time-out before the revision was created.
  const sentAt = Date.parse(String(latest?.created_at)) - 30_000;
  expect(Math.abs((entriesIn(journal)[0]?.sentAt as number) - sentAt)).toBeLessThan(5_000);
  const { after } = await run.next(changed, run.outputs, { journal });
  expect(run.patches()).toEqual([]);
  expect([run.revisions(), after.latestRevisionId]).toEqual([2, latest?.id]);
});

test("after recover, the plan of a program that has gone back says may, and the up brings the service back", async () => {
  const run = await recorded(chat, {}, { apiKey: KEY });
  const news = { ...changed, secrets: { TOKEN: "rotated-secret-value" } };
  run.emulator.failNext({ kind: "drop-after", match: { method: "PATCH" } });
  await run.kill(news);
  const journal = journalFolder();
  const recovery = await recovering(updating(run, news, chat), { emulator: run.emulator, journal });
  expect(recovery.lines.at(-1)).toBe("1 to take over, 0 to repeat, 0 in doubt");
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
  const recovery = await recovering(updating(run, changed), { emulator: run.emulator, journal });
  expect([kinds(recovery), entryFiles(journal)]).toEqual([["absent"], []]);
  await run.next(changed, run.outputs, { journal });
  expect([run.patches().length, run.revisions()]).toEqual([1, 2]);
});

test("a revision by someone else does not prove an update", async () => {
  const run = await recorded();
  await ask(run.emulator, "PATCH", `/v2/deployments/${run.id}`, {
    source_revision_config: { repo_ref: "other" },
  });
  const recovery = await recovering(updating(run, changed), {
    emulator: run.emulator,
    journal: journalFolder(),
  });
  expect(recovery.lines[0]).toMatch(
    /in doubt: nothing proves that the update made its latest revision \S+.*pulumi refresh/,
  );
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

test.each<[string, Properties, EmulatorOptions["secretsInResponses"], number, string]>([
  ["hidden values, one new revision", inImage, "masked", 0, "proven"],
  ["shown values, one new revision", inImage, "echoed", 0, "proven"],
  ["hidden values, a second new revision", inImage, "masked", 1, "doubtful"],
  ["hidden values, and a push may make a revision", inRepository, "masked", 0, "doubtful"],
])(
  "an update that rotates a secret is taken over only if nobody else can have made the revision: %s",
  async (_what, change, secretsInResponses, more, kind) => {
    const inputs = { ...chat, ...change };
    const settings = { apiKey: KEY };
    const run = await recorded(inputs, { apiKey: KEY, profile: "langsmith", secretsInResponses }, settings);
    const news = rotatedFrom(inputs);
    run.emulator.failNext({ kind: "drop-after", match: { method: "POST" } });
    await run.kill(news);
    for (let pushes = 0; pushes < more; pushes += 1) run.emulator.push(run.id);
    const journal = journalFolder();
    const options = { emulator: run.emulator, journal, settings: { profile: "langsmith" } };
    const recovery = await recovering(updating(run, news, inputs), options);
    expect(kinds(recovery)).toEqual([kind]);
    if (kind !== "proven") return;
    const { after } = await run.next(news, run.outputs, { journal });
    expect([writes(run.emulator), run.revisions(), after.rolloutState]).toEqual([[], 2, "deployed"]);
  },
);

/** The cases of a pending creation: each names the deployments that the service has for the creation. */
const FATES = ["own", "absent", "older", "changed", "twice", "recorded", "revised"] as const;

test("for random exports, the next run takes over exactly the deployments of the stack", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 12 }), async (fates) => {
      const [journal, emulator] = [journalFolder(), await started()];
      const recordedIds: string[] = [];
      for (const [index, fate] of fates.entries()) {
        if (fate === "absent") continue;
        const inputs = { ...chat, name: `chat-${index}` };
        const { id } = await created(emulator, wireOf(inputs));
        if (fate === "older") emulator.change(id, { created_at: at(Date.now() - 2 * A_MINUTE) });
        if (fate === "changed") emulator.change(id, { source_config: { build_on_push: false } });
        if (fate === "revised") emulator.push(id);
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
      const expected = { own: "proven", absent: "absent", recorded: "absent" } as Record<string, string>;
      expect(kinds(recovery)).toEqual(fates.map((fate) => expected[fate] ?? "doubtful"));
      expect(entryFiles(journal)).toHaveLength(fates.filter((fate) => fate === "own").length);
      expect([writes(emulator), JSON.stringify(recovery.lines).includes("secret-value")]).toEqual([
        [],
        false,
      ]);
    }),
    { numRuns: 20 },
  );
}, 120_000);
