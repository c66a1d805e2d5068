import { readFileSync } from "node:fs";
import { heldRequests } from "../../support/embeddedService";
import { attemptFiles, attemptsIn, journalFolder, until } from "../../support/interruptedRun";
import { chat, provided, sessionOn, URN } from "../../support/providerRun";
import { createDeployment, deployment } from "../../support/resourceCalls";

const POST = { method: "POST" } as const;
const quick = { ...chat, rollout: { wait: false } };

test("a creation is in the journal before its request arrives, and the deployment's id is added after the answer", async () => {
  const journal = journalFolder();
  const { emulator, session } = await provided({}, { journal });
  const release = heldRequests();
  emulator.failNext({ kind: "delay", ms: 1, match: POST });
  const creating = createDeployment(session, quick);
  await until(() => emulator.requests.some(({ method }) => method === "POST"));
  const [before] = attemptsIn(journal);
  expect(before).toMatchObject({ urn: URN, serviceUrl: emulator.url, name: "chat", secretNames: ["TOKEN"] });
  expect(before).not.toHaveProperty("answer");
  release();
  const { id } = await creating;
  expect(attemptsIn(journal)).toEqual([{ ...before, answer: id }]);
});

test("the journal holds no value of a secret, no value marked secret, and no string that contains a secret", async () => {
  const journal = journalFolder();
  const { session } = await provided({}, { journal });
  const inputs = {
    ...quick,
    __secrets: ["sourceConfig.customUrl"],
    sourceConfig: {
      customUrl: "https://marked-secret.example",
      repoUrl: "https://token-secret-value@host.example",
    },
  };
  await createDeployment(session, inputs);
  const text = attemptFiles(journal)
    .map((file) => readFileSync(file, "utf8"))
    .join();
  expect(text).toContain('"repoRef": "main"');
  expect(text).not.toMatch(/secret-value|marked-secret/);
});

test("the journal does not record a deployment's name if the name is or contains a secret", async () => {
  const journal = journalFolder();
  const { session } = await provided({}, { journal });
  await createDeployment(session, { ...quick, __secrets: ["name"], name: "hidden-name" });
  const holding = {
    ...quick,
    __urn: `${URN}-2`,
    name: "chat-of-hidden-value",
    secrets: { A: "hidden-value" },
  };
  await deployment.create(session, holding);
  const text = attemptFiles(journal)
    .map((file) => readFileSync(file, "utf8"))
    .join();
  expect(text.match(/"name": ""/g)).toHaveLength(2);
  expect(text).not.toMatch(/hidden-/);
});

test.each(["diff", "read", "update", "delete"] as const)(
  "the %s of a later run drops the attempt if the state has the id",
  async (method) => {
    const journal = journalFolder();
    const { emulator, session } = await provided({}, { journal });
    const { id, outputs } = await createDeployment(session, quick);
    const { session: next } = sessionOn(emulator, { journal });
    if (method === "diff") await deployment.diff(next, id, outputs, quick, true);
    else if (method === "update") await deployment.update(next, id, outputs, quick);
    else await deployment[method](next, id, outputs);
    await until(() => attemptFiles(journal).length === 0);
  },
);
