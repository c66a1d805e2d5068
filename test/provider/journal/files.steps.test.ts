import { journalFolder } from "../../support/interruptedRun";
import { chat, provided, URN } from "../../support/providerRun";
import { createDeployment, updateDeployment } from "../../support/resourceCalls";

/** The names of the disk operations so far. */
const steps: string[] = [];

jest.mock("node:fs", () => {
  const real = jest.requireActual<typeof import("node:fs")>("node:fs");
  const counted =
    (name: string, step: (...args: unknown[]) => unknown, isCounted: (...args: unknown[]) => boolean) =>
    (...args: unknown[]): unknown => {
      if (isCounted(...args)) steps.push(name);
      return step(...args);
    };
  const always = () => true;
  const isThere = real.existsSync;
  const makes = (...[path]: unknown[]) => !isThere(path as string);
  const isLast = (...[path]: unknown[]) => real.statSync(path as string).nlink === 1;
  const { openSync, mkdirSync, fsync, renameSync, unlinkSync, readdirSync } = real as never as Record<
    string,
    () => unknown
  >;
  return {
    ...real,
    openSync: counted("make a file", openSync as never, makes),
    mkdirSync: counted("make a folder", mkdirSync as never, makes),
    fsync: counted("wait for the disk", fsync as never, always),
    renameSync: counted("rename", renameSync as never, always),
    unlinkSync: counted("delete a file", unlinkSync as never, isLast),
    readdirSync: counted("list a folder", readdirSync as never, always),
  };
});

const quick = { ...chat, rollout: { wait: false } };
const times = () =>
  Object.fromEntries(
    [...new Set(steps)].sort().map((step) => [step, steps.filter((each) => each === step).length]),
  );

test("a creation makes one file, deletes nothing, and waits for the disk three times", async () => {
  const { session } = await provided({}, { journal: journalFolder() });
  await createDeployment(session, quick);
  steps.length = 0;
  await createDeployment(session, { ...quick, __urn: `${URN}-2`, name: "chat-2" });
  // Before the request, the journal waits for the entry and its folder to be on disk, and later for the answer.
  expect(times()).toEqual({ "make a file": 1, "wait for the disk": 3 });
});

test("an update that makes no revision does nothing on the disk", async () => {
  const { emulator, session } = await provided({}, { journal: journalFolder() });
  const { id, outputs } = await createDeployment(session, quick);
  const scaled = (minScale: number) => ({ ...quick, sourceConfig: { resourceSpec: { minScale } } });
  // The first updates close the entry of the creation, and list the folder.
  let state = outputs;
  for (const minScale of [2, 3, 4]) {
    steps.length = 0;
    state = await updateDeployment(session, id, state, scaled(minScale));
    await session.creations.openEntry({ urn: URN, serviceUrl: emulator.url });
  }
  expect(times()).toEqual({});
});
