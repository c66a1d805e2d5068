// The section `waiting`: the cost of many rollouts without a wait, with one Rollout for all, and with a wait in each
// Deployment. Some runs use more parallel calls or measure updates. The runs alternate, so noise affects all of them.
import { say } from "../steps.mjs";
import { markdownTable, median, spreadOf, spreadWords } from "./figures.mjs";
import { onStack } from "./stack.mjs";

/** `waits`: which wait the program declares. `changes`: the measured `up` gives every deployment another image. */
const WAYS = {
  none: { words: "without waiting", waits: "none" },
  rollout: { words: "one Rollout", waits: "rollout" },
  each: { words: "each Deployment waits", waits: "each" },
  eachOf64: { words: "each Deployment waits, `--parallel 64`", waits: "each", flags: ["--parallel", "64"] },
  updates: { words: "each gets another image and waits", waits: "each", changes: true },
};
const UP = ["up", "--yes", "--skip-preview"];
/** An `up` with one Rollout may take as long as a rollout, plus this factor times an `up` that does not wait. */
const ALLOWED_RATIO = 1.5;

export async function measureWaiting({ count, seconds, runs }) {
  const samples = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const way of Object.keys(WAYS)) samples[way].push(await oneUp(way, count, seconds));
    say(`waiting for ${count} deployments: run ${run} of ${runs}`);
  }
  return Object.entries(samples).map(([way, figures]) => ({
    way,
    count,
    rolloutSeconds: seconds,
    runs,
    seconds: spreadOf(figures.map((figure) => figure.seconds)),
    requests: median(figures.map((figure) => figure.requests)),
  }));
}

/** Measures the `up` that creates all deployments or, with `changes`, a later `up` that changes all deployments. */
function oneUp(way, count, seconds) {
  const { waits, flags = [], changes = false } = WAYS[way];
  const variables = { BENCH_COUNT: String(count), BENCH_ROUND: "0", BENCH_WAITING: waits };
  const emulatorOptions = { revisionSeconds: changes ? 0 : seconds };
  return onStack({ program: "waiting", emulatorOptions, variables }, async (stack) => {
    if (!changes) return stack.measure([...UP, ...flags]);
    await stack.measure(UP);
    stack.emulator.behaviour.revisionSeconds = seconds;
    return stack.measure([...UP, ...flags], { BENCH_ROUND: "1" });
  });
}

export function waitingTable(rows) {
  const table = markdownTable(
    ["`up` of deployments", "N", "a rollout takes", "wall", "requests"],
    rows.map((row) => [
      WAYS[row.way].words,
      row.count,
      `${row.rolloutSeconds} s`,
      spreadWords(row.seconds),
      row.requests,
    ]),
  );
  return `${table}\n\n${verdictOn(rows)}`;
}

function verdictOn(rows) {
  const [none, rollout] = ["none", "rollout"].map((way) => rows.find((row) => row.way === way));
  const allowed = none.rolloutSeconds + ALLOWED_RATIO * none.seconds.median;
  const verdict = rollout.seconds.median <= allowed ? "kept" : "exceeded";
  return (
    `One Rollout took ${rollout.seconds.median} s. The limit of ${none.rolloutSeconds} s + ${ALLOWED_RATIO} x ` +
    `${none.seconds.median} s = ${allowed.toFixed(2)} s is ${verdict}.`
  );
}
