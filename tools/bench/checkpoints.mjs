// The section `checkpoints`: the cost of a run whose engine writes the state only at its end, and of the next run after
// a kill. These runs alternate with runs whose engine writes the state after each step.
import { say } from "../steps.mjs";
import { CANDIDATES } from "./candidates.mjs";
import { markdownTable, spreadOf, spreadWords } from "./figures.mjs";
import { onStack } from "./stack.mjs";

const OFF = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };
/**
 * With a key, the journal proves that secrets have not changed since they were sent. Without a key, the next run after
 * a kill sends all secrets again.
 */
const KEY = "key-of-the-benchmark";
const up = ["up", "--yes", "--skip-preview"];
/**
 * `most`: maximum number of deployments; more would take minutes. The section `operations` measures a thousand with our
 * provider and with checkpoints.
 */
const TURNS = [
  { candidate: "floor", checkpoints: "on", most: 1_000 },
  { candidate: "floor", checkpoints: "off" },
  { candidate: "ours", checkpoints: "on", most: 500 },
  { candidate: "ours", checkpoints: "off" },
];
/** Maximum number of deployments to update in place with checkpoints: with any provider, more would take minutes. */
const MOST_IN_PLACE_WITH = 100;
const COMMANDS = ["up, create", "up, all in place", "up after a kill at the end"];

export async function measureCheckpoints({ counts, runs, only }) {
  const samples = new Map();
  for (const [index, count] of counts.entries()) {
    const times = runs[index] ?? runs.at(-1);
    const turns = TURNS.filter(
      ({ candidate, most }) => (only?.includes(candidate) ?? true) && count <= (most ?? count),
    );
    for (let run = 1; run <= times; run += 1) {
      for (const turn of turns) {
        for (const [command, seconds] of await oneTurn(turn, count)) {
          const { candidate, checkpoints } = turn;
          const key = JSON.stringify({ command, count, candidate, checkpoints });
          samples.set(key, [...(samples.get(key) ?? []), seconds]);
        }
      }
      say(`${count} deployments: run ${run} of ${times}`);
    }
  }
  return [...samples].map(([key, seconds]) => ({
    ...JSON.parse(key),
    seconds: spreadOf(seconds),
    runs: seconds.length,
  }));
}

async function oneTurn({ candidate, checkpoints }, count) {
  const isOff = checkpoints === "off";
  const options = {
    ...CANDIDATES[candidate],
    emulatorOptions: { revisionSeconds: 0, apiKey: KEY },
    variables: { BENCH_COUNT: String(count), DEPLOYMENT_CONTROL_API_KEY: KEY, ...(isOff && OFF) },
  };
  const secondsOf = async (stack, round) => (await stack.measure(up, { BENCH_ROUND: String(round) })).seconds;
  const measured = await onStack(options, async (stack) => {
    const rows = [[COMMANDS[0], await secondsOf(stack, 0)]];
    if (isOff || count <= MOST_IN_PLACE_WITH) rows.push([COMMANDS[1], await secondsOf(stack, 1)]);
    return rows;
  });
  if (candidate === "floor" || !isOff) return measured;
  return onStack(options, async (stack) => {
    await stack.killedAfter(up, { BENCH_ROUND: "0" }, count);
    return [...measured, [COMMANDS[2], await secondsOf(stack, 0)]];
  });
}

/** Each new measurement replaces the earlier row for the same run. */
export function mergedCheckpoints(before, rows) {
  const keyOf = ({ command, count, candidate, checkpoints }) =>
    [command, count, candidate, checkpoints].join("\n");
  const measured = new Set(rows.map(keyOf));
  return [...before.filter((row) => !measured.has(keyOf(row))), ...rows];
}

export function checkpointsTable(rows) {
  const find = (command, count, candidate, checkpoints) =>
    rows.find(
      (one) =>
        one.command === command &&
        one.count === count &&
        one.candidate === candidate &&
        one.checkpoints === checkpoints,
    );
  const ratio = (row, other) =>
    other === undefined ? "" : (row.seconds.median / other.seconds.median).toFixed(2);
  const sorted = [...rows].sort(
    (a, b) => COMMANDS.indexOf(a.command) - COMMANDS.indexOf(b.command) || a.count - b.count,
  );
  return markdownTable(
    [
      "command",
      "N",
      "with",
      "checkpoints",
      "runs",
      "wall",
      "x floor with checkpoints",
      "x ours without, create",
    ],
    sorted.map((row) => [
      row.command,
      row.count,
      row.candidate,
      row.checkpoints,
      row.runs,
      spreadWords(row.seconds),
      ratio(row, find(row.command, row.count, "floor", "on")),
      ratio(row, find(COMMANDS[0], row.count, "ours", "off")),
    ]),
  );
}
