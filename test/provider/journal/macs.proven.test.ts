import { readFileSync } from "node:fs";
import { started } from "../../support/embeddedService";
import {
  entriesIn,
  entryFiles,
  journalFolder,
  killedAfter,
  killedRun,
  nextRun,
  recorded,
} from "../../support/interruptedRun";
import { chat, sessionOn } from "../../support/providerRun";
import { createDeployment, updateDeployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const KEY = { apiKey: "key-of-the-connection", allowInsecure: "true" };
const POST = { method: "POST" } as const;
const PATCH = { method: "PATCH" } as const;
const masked = { secretsInResponses: "masked", apiKey: KEY.apiKey } as const;
const marked = {
  ...chat,
  __secrets: ["sourceRevisionConfig.repoRef", "sourceConfig.installCommand"],
  sourceConfig: { buildOnPush: true, installCommand: "marked-command" },
  sourceRevisionConfig: { repoRef: "marked-ref" },
};
const patches = (emulator: Awaited<ReturnType<typeof started>>) =>
  emulator.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);

async function killedAfterItsCreation() {
  const [journal, emulator] = [journalFolder(), await started(masked)];
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, marked, KEY);
  return { journal, emulator };
}

test("a recovered creation has one revision, even with secrets and marked arguments", async () => {
  const { journal, emulator } = await killedAfterItsCreation();
  const { session } = nextRun(emulator, journal, KEY);
  const { id, outputs } = await createDeployment(session, marked);
  expect(patches(emulator)).toEqual([]);
  expect(emulator.deployments()[0]).toMatchObject({ id, revisions: { length: 1 } });
  expect(outputs).toMatchObject({
    sourceRevisionConfig: { repoRef: "marked-ref" },
    rolloutState: "deployed",
  });
});

test("only the section that the program has changed since the interruption is sent", async () => {
  const { journal, emulator } = await killedAfterItsCreation();
  const changed = { ...marked, secrets: { TOKEN: "rotated-secret-value" } };
  await createDeployment(nextRun(emulator, journal, KEY).session, changed);
  expect(patches(emulator)).toEqual([{ secrets: [{ name: "TOKEN", value: "rotated-secret-value" }] }]);
});

test.each([
  ["the key was rotated", { ...KEY, apiKey: "another-key-since" }],
  ["there is no key", {}],
])(
  "if %s, all secrets are sent again, which makes one more revision and sets the program's values",
  async (_why, settings) => {
    const { journal, emulator } = await killedAfterItsCreation();
    emulator.behaviour.apiKey = (settings as { apiKey?: string }).apiKey;
    await createDeployment(nextRun(emulator, journal, settings).session, marked);
    expect(patches(emulator)).toHaveLength(1);
    expect(patches(emulator)[0]).toMatchObject({ secrets: [{ name: "TOKEN", value: "token-secret-value" }] });
    expect(emulator.deployments()[0]?.revisions).toHaveLength(2);
  },
);

test("the journal does not show values, or which values are equal", async () => {
  const { journal } = await killedAfterItsCreation();
  const text = readFileSync(entryFiles(journal)[0] as string, "utf8");
  expect(text).not.toMatch(/secret-value|marked-|key-of/);
  expect(entriesIn(journal)[0].macs).toMatchObject({
    of: {
      secrets: { TOKEN: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) },
      sourceRevisionConfig: { repoRef: expect.any(String) },
      sourceConfig: { installCommand: expect.any(String) },
    },
  });
});

test("without a key, the journal has nothing about secrets", async () => {
  const [journal, emulator] = [journalFolder(), await started()];
  await createDeployment(sessionOn(emulator, { journal }, sharedClock()).session, marked);
  expect(entriesIn(journal)[0]).not.toHaveProperty("macs");
});

test("an interrupted update of secrets makes no second revision", async () => {
  const { emulator, journal, id, outputs, revisions } = await recorded(chat, masked, KEY);
  const rotated = {
    ...chat,
    secrets: { TOKEN: "rotated-secret-value", MORE: "more-secret-value" },
    revisionGeneration: 2,
  };
  emulator.failNext({ kind: "drop-after", match: PATCH });
  await killedAfter("PATCH", emulator, (clock) => {
    const { session } = sessionOn(emulator, { journal, maxRetries: "0", ...KEY }, clock);
    return updateDeployment(session, id, outputs, rotated);
  });
  const next = nextRun(emulator, journal, KEY);
  await updateDeployment(next.session, id, outputs, rotated);
  expect([patches(emulator), revisions()]).toEqual([[], 2]);
});

test("an adoption that was interrupted after its request makes no second revision", async () => {
  const [journal, emulator] = [journalFolder(), await started(masked)];
  const byHand = { ...chat, __urn: `${chat.__urn}-by-hand`, secrets: { TOKEN: "another-secret-value" } };
  const { id } = await createDeployment(sessionOn(emulator, { ...KEY }, sharedClock()).session, byHand);
  const revisions = () => emulator.deployments()[0]?.revisions.length;
  const before = revisions() as number;
  emulator.failNext({ kind: "drop-after", match: PATCH });
  await killedAfter("PATCH", emulator, (clock) => {
    const { session } = sessionOn(emulator, { journal, maxRetries: "0", ...KEY }, clock);
    return createDeployment(session, { ...chat, adopt: true });
  });
  const next = nextRun(emulator, journal, KEY);
  const adopted = await createDeployment(next.session, { ...chat, adopt: true });
  expect([adopted.id, patches(emulator), revisions()]).toEqual([id, [], before + 1]);
  expect(adopted.outputs).toMatchObject({ secrets: chat.secrets, rolloutState: "deployed" });
});
