/** A creation that waits in the queue for so long that the look-up of its name is out of date. */
import { EngineRun } from "../../../../provider/run/run";
import type { Emulator } from "../../../../sdk/emulator";
import { started } from "../../../support/embeddedService";
import { turnedClock } from "../../../support/httpServer";
import { attemptFiles, bare, journalFolder } from "../../../support/interruptedRun";
import { URN } from "../../../support/providerRun";
import { createDeployment } from "../../../support/resourceCalls";

const PROOF_SECONDS = 5;
const inputsOf = (name: string) => ({ ...bare, name, rollout: { wait: false }, __urn: `${URN}-${name}` });
const namesOn = (emulator: Emulator) =>
  emulator
    .deployments()
    .map(({ name }) => name)
    .sort();

/** Starts two creations. The second creation waits in the queue while `meanwhile` runs and six seconds pass. */
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
    entries: attemptFiles(journal).length,
    error: (second as PromiseRejectedResult).reason,
  };
}

test("a creation that has waited in the queue for more than five seconds looks its name up again", async () => {
  const { emulator, posts, entries, error } = await queued((emulator) =>
    emulator.change(emulator.seed(1)[0] as string, { name: "two" }),
  );
  expect(error.message).toContain('a deployment named "two" exists already');
  expect([posts, entries]).toEqual([1, 1]);
  expect(namesOn(emulator)).toEqual(["one", "two"]);
});

test("if the second look-up fails, the creation sends no POST, and the error says that nothing was created", async () => {
  const { told, posts, entries, error } = await queued((emulator) =>
    emulator.failNext({ kind: "status", status: 500, match: { method: "GET" } }),
  );
  expect(error.message).toMatch(/nothing was created: .*answered 500/);
  expect([posts, entries]).toEqual([1, 1]);
  expect(told.join()).not.toContain("not certain");
});
