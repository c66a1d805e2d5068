import type { Emulator, EmulatorOptions } from "../../../../../sdk/emulator/index";
import {
  agent,
  ask,
  type Clock,
  created,
  revisionsOf,
  started,
  stoppedClock,
} from "../../../../support/embeddedService";

/** Waits until the newest revision has the status `last`, and returns all statuses that the revision had. */
async function walked(emulator: Emulator, id: string, last: string, clock: Clock): Promise<string[]> {
  const statuses = new Set<string>();
  for (let turn = 0; turn < 100 && !statuses.has(last); turn++) {
    statuses.add((await revisionsOf(emulator, id))[0].status);
    clock.pass(50);
  }
  return [...statuses];
}

async function revisionsAfter(options: EmulatorOptions, ...patches: object[]): Promise<number> {
  const emulator = await started(options);
  const { id } = await created(emulator);
  await patched(emulator, id, ...patches);
  return (await revisionsOf(emulator, id)).length;
}

async function patched(emulator: Emulator, id: string, ...patches: object[]) {
  for (const patch of patches) {
    const { status, body } = await ask(emulator, "PATCH", `/v2/deployments/${id}`, patch);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

const config = agent.source_config;
const revisionConfig = agent.source_revision_config;

test.each([
  ["a source config", {}, { source_config: { build_on_push: false, resource_spec: { cpu: 2 } } }, 1],
  ["an empty body", {}, {}, 1],
  ["sections that are null", {}, { source_config: null, source_revision_config: null, secrets: null }, 1],
  ["a revision field", {}, { source_revision_config: { repo_ref: "next" } }, 2],
  ["a revision field with its current value", {}, { source_revision_config: revisionConfig }, 2],
  [
    "a revision field with its current value, and repeatedValuesMakeRevision is false",
    { repeatedValuesMakeRevision: false },
    { source_revision_config: revisionConfig },
    1,
  ],
  [
    "a changed revision field, and repeatedValuesMakeRevision is false",
    { repeatedValuesMakeRevision: false },
    { source_revision_config: { repo_ref: "next" } },
    2,
  ],
  ["null for a field without a value", {}, { source_revision_config: { image_uri: null } }, 1],
  ["null for a field with a value", {}, { source_revision_config: { repo_ref: null } }, 2],
  ["secrets", {}, { secrets: agent.secrets }, 2],
  ["secrets with secretsMakeRevision false", { secretsMakeRevision: false }, { secrets: [] }, 1],
  ["secrets and a revision field", {}, { secrets: [], source_revision_config: { repo_ref: "next" } }, 2],
  [
    "a field in extraRevisionOn",
    { extraRevisionOn: ["source_config.build_on_push"] },
    { source_config: config },
    2,
  ],
] as [string, EmulatorOptions, object, number][])(
  "a PATCH makes the expected number of revisions: %s",
  async (_, options, patch, count) => {
    expect(await revisionsAfter(options, patch)).toBe(count);
  },
);

test("a revision goes through its statuses, and is active once it is deployed", async () => {
  const clock = stoppedClock();
  const emulator = await started({ revisionSeconds: 2.4 });
  const { id } = await created(emulator);
  expect(emulator.deployments()[0]).toMatchObject({ active_revision_id: null });
  const statuses = await walked(emulator, id, "DEPLOYED", clock);
  expect(statuses).toEqual([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYED",
  ]);
  const [revision] = await revisionsOf(emulator, id);
  expect(Date.parse(revision.updated_at) - Date.parse(revision.created_at)).toBe(2400);
  expect(emulator.deployments()[0]?.active_revision_id).toBe(revision.id);
});

test("a newer revision interrupts an unfinished revision, and the active revision stays active", async () => {
  const emulator = await started();
  const { id, latest_revision_id: active } = await created(emulator);
  emulator.behaviour.revisionSeconds = 60;
  await patched(emulator, id, { source_revision_config: { repo_ref: "a" } });
  await patched(emulator, id, { source_revision_config: { repo_ref: "b" } });
  expect((await revisionsOf(emulator, id)).map(({ status }: { status: string }) => status)).toEqual([
    "CREATING",
    "INTERRUPTED",
    "DEPLOYED",
  ]);
  expect(emulator.deployments()[0]?.active_revision_id).toBe(active);
});
