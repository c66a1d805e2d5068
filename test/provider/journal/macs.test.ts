import { createHash, createHmac } from "node:crypto";
import { type Macs, macsOf, provenValues } from "../../../provider/journal/macs";
import { started } from "../../support/embeddedService";
import { journalFolder, killedAfter, killedRun, nextRun } from "../../support/interruptedRun";
import { chat, sessionOn } from "../../support/providerRun";
import { createDeployment } from "../../support/resourceCalls";
import { sharedClock } from "../../support/sharedClock";

const KEY = "key-of-the-connection";
const values = {
  secrets: { A: "one", B: "two" },
  sourceConfig: { resourceSpec: { env: [{ name: "x", value: "y" }] } },
};
const macs = macsOf(values, KEY) as Macs;

test("with the key, the MACs prove exactly the values that are unchanged", () => {
  expect(provenValues(macs, values, KEY)).toEqual(values);
  const since = { ...values, secrets: { A: "one", B: "changed", C: "new" } };
  expect(provenValues(macs, since, KEY).secrets).toEqual({ A: "one" });
  expect(provenValues(macs, {}, KEY)).toEqual({ secrets: {}, sourceConfig: { resourceSpec: {} } });
});

test("nothing is proven with a different key, without a key, or without MACs", () => {
  for (const key of ["another", ""])
    expect(provenValues(macs, values, key)).toEqual({ secrets: {}, sourceConfig: { resourceSpec: {} } });
  expect(provenValues(macs, values, undefined)).toEqual({});
  expect(provenValues(undefined, values, KEY)).toEqual({});
  expect([macsOf(values, undefined), macsOf({}, KEY)]).toEqual([undefined, undefined]);
});

test("a value is not proven by the MAC of an equal value at another path", () => {
  const swapped = { salt: macs.salt, of: { secrets: { A: (macs.of.secrets as { B: string }).B } } };
  expect(provenValues(swapped, { secrets: { A: "two" } }, KEY)).toEqual({ secrets: {} });
});

test("the order of names does not matter, but the order of a list does", () => {
  const one = macsOf({ list: [{ a: 1, b: 2 }, 3] }, KEY);
  expect(provenValues(one, { list: [{ b: 2, a: 1 }, 3] }, KEY)).toEqual({ list: [{ b: 2, a: 1 }, 3] });
  expect(provenValues(one, { list: [3, { a: 1, b: 2 }] }, KEY)).toEqual({});
});

test("MACs do not show which values are equal or how long they are, within an attempt or across attempts", () => {
  const twins = macsOf({ secrets: { A: "same", B: "same", C: "same".repeat(100) } }, KEY) as Macs;
  const again = macsOf({ secrets: { A: "same", B: "same", C: "same".repeat(100) } }, KEY) as Macs;
  const shown = [twins, again].flatMap(({ of }) => Object.values(of.secrets as { [name: string]: string }));
  expect(new Set(shown).size).toBe(6);
  expect(new Set(shown.map(({ length }) => length)).size).toBe(1);
});

test("without the key, an attempt cannot confirm a guessed value", () => {
  const text = JSON.stringify(macs);
  const guessedSalts = ["", macs.salt, "deployment-control journal", "A", "secrets", "secrets.A"];
  for (const guess of ["one", '"one"'])
    for (const beside of guessedSalts)
      for (const words of [guess, beside + guess, guess + beside, JSON.stringify([beside, guess])])
        for (const encoding of ["hex", "base64"] as const) {
          expect(text).not.toContain(createHash("sha256").update(words).digest(encoding));
          expect(text).not.toContain(createHmac("sha256", beside).update(words).digest(encoding));
        }
  // With the key, the MACs confirm the same guess.
  expect(provenValues(macs, { secrets: { A: "one" } }, KEY).secrets).toEqual({ A: "one" });
});

const CONNECTION = { apiKey: "key-of-the-connection", allowInsecure: "true" };
const POST = { method: "POST" } as const;
const PATCH = { method: "PATCH" } as const;
const masked = { secretsInResponses: "masked", apiKey: CONNECTION.apiKey } as const;
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
  await killedRun(emulator, journal, marked, CONNECTION);
  return { journal, emulator };
}

test("after an interruption, the next run sends only the section that the program has changed since", async () => {
  const { journal, emulator } = await killedAfterItsCreation();
  const changed = { ...marked, secrets: { TOKEN: "rotated-secret-value" } };
  await createDeployment(nextRun(emulator, journal, CONNECTION).session, changed);
  expect(patches(emulator)).toEqual([{ secrets: [{ name: "TOKEN", value: "rotated-secret-value" }] }]);
});

test.each([
  ["the key was rotated", { ...CONNECTION, apiKey: "another-key-since" }],
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

test("an adoption that was interrupted after its request makes no second revision", async () => {
  const [journal, emulator] = [journalFolder(), await started(masked)];
  const byHand = { ...chat, __urn: `${chat.__urn}-by-hand`, secrets: { TOKEN: "another-secret-value" } };
  const { id } = await createDeployment(
    sessionOn(emulator, { ...CONNECTION }, sharedClock()).session,
    byHand,
  );
  const revisions = () => emulator.deployments()[0]?.revisions.length;
  const before = revisions() as number;
  emulator.failNext({ kind: "drop-after", match: PATCH });
  await killedAfter("PATCH", emulator, { journal, ...CONNECTION }, (session) =>
    createDeployment(session, { ...chat, adopt: true }),
  );
  const next = nextRun(emulator, journal, CONNECTION);
  const adopted = await createDeployment(next.session, { ...chat, adopt: true });
  expect([adopted.id, patches(emulator), revisions()]).toEqual([id, [], before + 1]);
  expect(adopted.outputs).toMatchObject({ secrets: chat.secrets, rolloutState: "deployed" });
});
