// The section `connections`: the costs and savings of the cap on requests in flight (`maxConcurrency`), both with the
// engine's default number of parallel calls and with many more.
import { say } from "../steps.mjs";
import { markdownTable, median, spreadOf, spreadWords } from "./figures.mjs";
import { onStack } from "./stack.mjs";

const CAPS = [1, 2, 4, 8, 16, 32, 64];
const PARALLEL = { "as it chooses": [], "64 at a time": ["--parallel", "64"] };
const COUNT = 100;
const LATENCY_MS = 50;

export async function measureConnections({ runs }) {
  const turns = Object.keys(PARALLEL).flatMap((parallel) => CAPS.map((cap) => ({ parallel, cap })));
  const samples = new Map(turns.map((turn) => [turn, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const turn of turns) samples.get(turn).push(await oneUp(turn));
    say(`connections: run ${run} of ${runs}`);
  }
  return turns.map((turn) => {
    const all = (name) => samples.get(turn).map((figures) => figures[name]);
    return {
      ...turn,
      count: COUNT,
      latencyMs: LATENCY_MS,
      runs,
      seconds: spreadOf(all("seconds")),
      sockets: median(all("sockets")),
    };
  });
}

/** One `pulumi up` that creates all deployments. */
function oneUp({ parallel, cap }) {
  const variables = {
    BENCH_COUNT: String(COUNT),
    BENCH_ROUND: "0",
    DEPLOYMENT_CONTROL_MAX_CONCURRENCY: String(cap),
  };
  const emulatorOptions = { revisionSeconds: 0, latencyMs: LATENCY_MS };
  return onStack({ program: "ours", emulatorOptions, variables }, (stack) =>
    stack.measure(["up", "--yes", "--skip-preview", ...PARALLEL[parallel]]),
  );
}

export function connectionsTable(rows) {
  return markdownTable(
    ["`up` that creates", "latency ms", "calls of the engine", "`maxConcurrency`", "wall", "sockets"],
    rows.map((row) => [
      row.count,
      row.latencyMs,
      row.parallel,
      row.cap,
      spreadWords(row.seconds),
      row.sockets,
    ]),
  );
}
