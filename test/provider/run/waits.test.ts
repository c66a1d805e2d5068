import { availableParallelism } from "node:os";
import { deployment } from "../calling";
import { chat, provided, URN } from "../providing";

const FEW = 8 * availableParallelism();
const member = (index: number, wait: boolean, more = {}) => ({
  ...chat,
  ...more,
  __urn: `${URN}-${index}`,
  name: `chat-${index}`,
  rollout: { wait },
});

async function planned(count: number, wait: boolean) {
  const run = await provided();
  for (let index = 0; index < count; index += 1)
    expect((await deployment.check(run.session, undefined, member(index, wait))).failures).toEqual([]);
  return run;
}

test("a plan whose many creations wait one after the other says so once, with the two ways out", async () => {
  const { told } = await planned(FEW + 5, true);
  expect(told).toEqual([
    `info  more than ${FEW} deployments of this plan wait each for a rollout of its own, and without --parallel the engine lets about ${FEW / 2} of them wait at a time. Declare them with rollout: {wait: false} and one Rollout that waits for all, or give pulumi up a larger --parallel`,
  ]);
});

test("the engine's own variable for --parallel counts", async () => {
  process.env.PULUMI_PARALLEL = "3";
  try {
    expect((await planned(6, true)).told).toEqual([]);
    expect((await planned(7, true)).told.join()).toContain("about 3 of them wait at a time");
  } finally {
    delete process.env.PULUMI_PARALLEL;
  }
});

test("few waits, and many that do not wait, say nothing", async () => {
  expect((await planned(FEW, true)).told).toEqual([]);
  expect((await planned(FEW + 5, false)).told).toEqual([]);
});

test("new revisions count like creations, and what makes none does not", async () => {
  const { session, told, emulator } = await planned(FEW, true);
  const state = { ...member(1, true), id: "one", serviceUrl: emulator.url };
  const about = () => told.filter((words) => words.includes("--parallel"));
  await deployment.diff(
    session,
    "one",
    state,
    member(1, true, { sourceConfig: { buildOnPush: false } }),
    true,
  );
  expect(about()).toEqual([]);
  const news = member(1, true, { sourceRevisionConfig: { repoRef: "next" }, revisionGeneration: 2 });
  await deployment.diff(session, "one", state, news, true);
  expect(about()).toHaveLength(1);
});
