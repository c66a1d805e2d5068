/** Two runs create the same name, each with a separate journal, as on two machines. */
import { EngineRun } from "../../../../provider/run/run";
import type { Emulator } from "../../../../sdk/emulator";
import { started } from "../../../support/embeddedService";
import { turnedClock } from "../../../support/httpServer";
import { bare, entryFiles, journalFolder } from "../../../support/interruptedRun";
import { sessionOn, URN } from "../../../support/providerRun";
import { createDeployment } from "../../../support/resourceCalls";

const PROOF_SECONDS = 5;
const inputsOf = (name: string, stack = "dev") => ({
  ...bare,
  name,
  rollout: { wait: false },
  __urn: `${URN.replace("dev", stack)}-${name}`,
});
const namesOn = (emulator: Emulator) =>
  emulator
    .deployments()
    .map(({ name }) => name)
    .sort();

test("two runs create the same names: neither creates one that the other created more than five seconds before", async () => {
  const [emulator, clock] = [await started(), turnedClock()];
  const runs = ["dev", "prod"].map((stack) => ({
    stack,
    run: sessionOn(emulator, { journal: journalFolder() }, clock).session,
  }));
  const names = Array.from({ length: 20 }, (_, index) => `chat-${index}`);
  const creations = new Map<string, number[]>();
  for (const second of names.keys()) {
    for (const { stack, run } of runs) {
      const name = names[stack === "dev" ? second : names.length - 1 - second] as string;
      await createDeployment(run, inputsOf(name, stack)).then(
        () => creations.set(name, [...(creations.get(name) ?? []), second]),
        ({ message }) => expect(message).toContain(`a deployment named "${name}" exists already`),
      );
    }
    clock.turn(1_000);
  }
  const apart = names.map((name) => {
    const [first = Number.NaN, last = first] = creations.get(name) ?? [];
    return last - first;
  });
  expect(Math.max(...apart)).toBeLessThanOrEqual(PROOF_SECONDS);
});

/** Two creations; the second waits for its turn while `meanwhile` happens and six seconds pass. */
async function queued(meanwhile: (emulator: Emulator) => void) {
  const [emulator, clock, journal] = [await started(), turnedClock(), journalFolder()];
  const settings: Record<string, string> = {
    baseUrl: emulator.url,
    journal,
    maxConcurrency: "1",
    maxRetries: "0",
  };
  const messages: string[] = [];
  const tell = async (_urn: string, words: string) => void messages.push(words);
  let isFirst = true;
  const run = new EngineRun(
    (key) => settings[key],
    { info: tell, warn: tell },
    clock,
    async (method) => {
      if (method !== "POST" || !isFirst) return;
      isFirst = false;
      meanwhile(emulator);
      clock.turn((PROOF_SECONDS + 1) * 1_000);
    },
  );
  const [, second] = await Promise.allSettled(
    ["one", "two"].map((name) => createDeployment(run, inputsOf(name))),
  );
  await run.service(undefined).endpoints.close();
  const posts = emulator.requests.filter(({ method }) => method === "POST").length;
  return {
    emulator,
    told: messages,
    posts,
    entries: entryFiles(journal).length,
    error: (second as PromiseRejectedResult).reason,
  };
}

test("a creation that has waited for its turn for more than five seconds looks its name up again", async () => {
  const { emulator, posts, entries, error } = await queued((emulator) =>
    emulator.change(emulator.seed(1)[0] as string, { name: "two" }),
  );
  expect(error.message).toContain('a deployment named "two" exists already');
  expect([posts, entries]).toEqual([1, 1]);
  expect(namesOn(emulator)).toEqual(["one", "two"]);
});

test("if the name cannot be looked up again, nothing is sent and nothing is in doubt", async () => {
  const { told, posts, entries, error } = await queued((emulator) =>
    emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } }),
  );
  expect(error.message).toMatch(/nothing was created: .*answered 500/);
  expect([posts, entries]).toEqual([1, 1]);
  expect(told.join()).not.toContain("not certain");
});
