/**
 * Tests interrupted requests with plain variables. The journal holds the values of plain variables, so nothing is sent
 * twice and nothing is lost.
 */
import { readFileSync } from "node:fs";
import type { Properties } from "../../../provider/schema/value";
import { started } from "../../support/embeddedService";
import {
  attemptFiles,
  attemptsIn,
  journalFolder,
  killedRun,
  nextRun,
  recorded,
} from "../../support/interruptedRun";
import { chat } from "../../support/providerRun";
import { createDeployment } from "../../support/resourceCalls";

const KEY = { apiKey: "key-of-the-connection", allowInsecure: "true" };
const [POST, PATCH] = [{ method: "POST" }, { method: "PATCH" }] as const;
const plain = {
  ...chat,
  secrets: undefined,
  secretGenerations: undefined,
  environment: { LOG_LEVEL: "info", PORT: "8080" },
};
const both = { ...chat, environment: { LOG_LEVEL: "info" } };
const changed = (args: Properties): Properties => ({
  ...args,
  environment: { ...(args.environment as object), LOG_LEVEL: "debug" },
  revisionGeneration: 2,
});

async function killedCreation(args: Properties, settings: { readonly [key: string]: string } = {}) {
  const emulator = await started(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey });
  const journal = journalFolder();
  emulator.failNext({ kind: "drop-after", match: POST });
  await killedRun(emulator, journal, args, settings);
  return {
    emulator,
    journal,
    next: () => createDeployment(nextRun(emulator, journal, settings).session, args),
  };
}

test.each([
  ["alone, without a key", plain, {}],
  ["and secrets, with a key", both, KEY],
  [
    "that are marked secret, with a key",
    { ...plain, environment: { PORT: "marked-port" }, __secrets: ["environment.PORT"] },
    KEY,
  ],
] as const)(
  "the next run takes over a creation with plain variables %s, and sends nothing again",
  async (_how, args, settings) => {
    const { emulator, next } = await killedCreation(args, settings);
    const { outputs } = await next();
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(outputs.environment).toEqual(args.environment);
    expect(emulator.deployments()[0]?.revisions).toHaveLength(1);
  },
);

test("the journal holds the values of plain variables, and no values of secrets", async () => {
  const args = {
    ...both,
    environment: { LOG_LEVEL: "info", MARKED: "canary" },
    __secrets: ["environment.MARKED"],
  };
  const { journal } = await killedCreation(args, KEY);
  expect(attemptsIn(journal)[0]).toMatchObject({
    sent: { environment: { LOG_LEVEL: "info" } },
    secretNames: ["LOG_LEVEL", "MARKED", "TOKEN"],
  });
  expect(readFileSync(attemptFiles(journal)[0] as string, "utf8")).not.toMatch(/canary|token-secret/);
});

test.each(["masked", "named", "hidden", "echoed"] as const)(
  "an update that has arrived and changes only plain variables is not sent again (variables in answers: %s)",
  async (secretsInResponses) => {
    const { emulator, kill, next, patches, revisions } = await recorded(plain, { secretsInResponses });
    emulator.failNext({ kind: "drop-after", match: PATCH });
    await kill(changed(plain));
    const { after } = await next(changed(plain));
    expect([patches(), revisions()]).toEqual([[], 2]);
    expect(after.environment).toEqual({ LOG_LEVEL: "debug", PORT: "8080" });
  },
);

test.each([
  ["with a key, the next run does not repeat the update", KEY, 0],
  ["without a key, which would prove the secrets, the next run repeats the update", {}, 1],
] as const)(
  "after an update of plain variables and secrets has arrived: %s",
  async (_how, settings, count) => {
    const options = {
      secretsInResponses: "masked",
      ...("apiKey" in settings && { apiKey: settings.apiKey }),
    } as const;
    const { emulator, kill, next, patches } = await recorded(both, options, settings);
    emulator.failNext({ kind: "drop-after", match: PATCH });
    await kill(changed(both));
    const { after } = await next(changed(both));
    expect(patches()).toHaveLength(count);
    expect(after).toMatchObject({ environment: { LOG_LEVEL: "debug" }, secrets: chat.secrets });
  },
);

test.each([
  ["one of two secrets", { B: "b" }, { B: 1 }],
  ["all secrets", undefined, undefined],
] as const)(
  "an update that removed %s is not sent again after it arrived, if the service hides secrets",
  async (_which, secrets, secretGenerations) => {
    const before = { ...chat, secrets: { A: "a", B: "b" }, secretGenerations: { A: 1, B: 1 } };
    const after = { ...before, secrets, secretGenerations, revisionGeneration: 2 };
    const options = { secretsInResponses: "hidden", apiKey: KEY.apiKey } as const;
    const { emulator, kill, next, patches } = await recorded(before, options, KEY);
    emulator.failNext({ kind: "drop-after", match: PATCH });
    await kill(after);
    await next(after);
    expect(patches()).toEqual([]);
    emulator.behaviour.secretsInResponses = "named";
    expect(emulator.deployments()[0]?.secrets.map(({ name }) => name)).toEqual(Object.keys(secrets ?? {}));
  },
);

test.each([
  ["after the variable's update arrived is not sent again", "drop-after", 0],
  ["before the variable's update arrived is sent", "drop-before", 1],
] as const)("a variable that moves to the secrets %s", async (_, kind, count) => {
  const { emulator, kill, next, patches, revisions } = await recorded(plain, {
    secretsInResponses: "masked",
  });
  emulator.failNext({ kind, match: PATCH });
  await kill(changed(plain));
  const moved = { ...plain, environment: { PORT: "8080" }, secrets: { LOG_LEVEL: "debug" } };
  const { after } = await next({ ...moved, secretGenerations: { LOG_LEVEL: 1 }, revisionGeneration: 2 });
  expect([patches().length, revisions()]).toEqual([count, 2]);
  expect(after).toMatchObject({ secrets: { LOG_LEVEL: "debug" }, environment: { PORT: "8080" } });
  expect(emulator.deployments()[0]?.secrets).toEqual([
    { name: "LOG_LEVEL", value: "debug" },
    { name: "PORT", value: "8080" },
  ]);
});

test("the rest of an interrupted update does not remove a variable that another tool has added since", async () => {
  const { emulator, id, kill, next, patches } = await recorded(plain, { secretsInResponses: "masked" });
  emulator.failNext({ kind: "drop-after", match: PATCH });
  await kill(changed(plain));
  const [before] = emulator.deployments();
  emulator.change(id, { secrets: [...(before?.secrets ?? []), { name: "BY_HAND", value: "by-hand" }] });
  await expect(
    next({ ...plain, environment: { LOG_LEVEL: "trace" }, revisionGeneration: 3 }),
  ).rejects.toThrow("did not compare: BY_HAND. Run `pulumi refresh`");
  expect(patches()).toEqual([]);
});
