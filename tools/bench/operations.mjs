// The section `operations`: the cost of one command with each candidate. The candidates alternate, so that noise
// affects all of them.
import { say } from "../steps.mjs";
import { CANDIDATES, NAMES } from "./candidates.mjs";
import { markdownTable, median, spreadOf, spreadWords } from "./figures.mjs";
import { onStack } from "./stack.mjs";

const up = ["up", "--yes", "--skip-preview"];
const COMMANDS = {
  "up, create": { round: 0, args: up },
  "preview, no change": { round: 0, args: ["preview"], most: 100 },
  "up, no change": { round: 0, args: up },
  "up, all in place": { round: 1, args: up, most: 100 },
  refresh: { round: 1, args: ["refresh", "--yes", "--skip-preview"] },
};
/** With any provider, updating more deployments than this would take minutes, and show nothing new. */
const commandsFor = (count) => Object.entries(COMMANDS).filter(([, { most }]) => count <= (most ?? count));

/** One row for each command, number of deployments, latency and candidate. */
export async function measureOperations({ counts, runs, latencies, only }) {
  const rows = [];
  for (const [index, count] of counts.entries()) {
    rows.push(...(await measureCount(count, runs[index] ?? runs.at(-1), latencies, only)));
  }
  return rows;
}

async function measureCount(count, runs, latencies, only) {
  const samples = new Map();
  const turns = latencies.flatMap((latencyMs, index) =>
    NAMES.filter((candidate) => index === 0 || !CANDIDATES[candidate].asksNothing).map((candidate) => ({
      candidate,
      latencyMs,
    })),
  );
  for (let run = 1; run <= runs; run += 1) {
    for (const turn of turns.filter(({ candidate }) => only === undefined || only.includes(candidate))) {
      for (const [command, figures] of await oneTurn(turn, count)) {
        const key = JSON.stringify({ command, count, ...turn });
        samples.set(key, [...(samples.get(key) ?? []), figures]);
      }
    }
    say(`${count} deployments: run ${run} of ${runs}`);
  }
  return [...samples].map(([key, figures]) => ({ ...JSON.parse(key), ...summaryOf(figures) }));
}

function oneTurn({ candidate, latencyMs }, count) {
  const emulatorOptions = { revisionSeconds: 0, latencyMs };
  const variables = { BENCH_COUNT: String(count) };
  return onStack({ ...CANDIDATES[candidate], emulatorOptions, variables }, async (stack) => {
    const measured = [];
    for (const [command, { round, args }] of commandsFor(count))
      measured.push([command, await stack.measure(args, { BENCH_ROUND: String(round) })]);
    return measured;
  });
}

function summaryOf(figures) {
  const all = (name) => figures.map((figure) => figure[name]).filter((figure) => figure !== undefined);
  const peaks = all("peakKb");
  return {
    seconds: spreadOf(all("seconds")),
    runs: figures.length,
    requests: median(all("requests")),
    sockets: median(all("sockets")),
    stateBytes: median(all("stateBytes")),
    ...(peaks.length === 0 ? {} : { peakMb: Math.round(median(peaks) / 1024) }),
  };
}

/** Sizes and candidates may be measured in separate runs, so a new measurement replaces only its own row. */
export function mergedOperations(before, rows) {
  const keyOf = ({ command, count, latencyMs, candidate }) =>
    [command, count, latencyMs, candidate].join("\n");
  const measured = new Set(rows.map(keyOf));
  return [...before.filter((row) => !measured.has(keyOf(row))), ...rows];
}

export function operationsTable(rows) {
  const beside = (row, candidate) =>
    rows.find(
      (one) =>
        one.candidate === candidate &&
        one.command === row.command &&
        one.count === row.count &&
        (one.latencyMs === row.latencyMs || CANDIDATES[candidate].asksNothing),
    );
  const ratio = (row, other) =>
    other === undefined ? "" : (row.seconds.median / other.seconds.median).toFixed(2);
  const cells = (row) => {
    const { floor, asksNothing } = CANDIDATES[row.candidate];
    return [
      row.command,
      row.count,
      row.latencyMs,
      row.candidate,
      spreadWords(row.seconds),
      ratio(row, beside(row, floor)),
      asksNothing ? "" : ratio(row, beside(row, "ours")),
      row.requests,
      row.sockets,
      Math.round(row.stateBytes / 1000),
      row.peakMb ?? "",
    ];
  };
  const order = Object.keys(COMMANDS);
  const sorted = [...rows].sort(
    (a, b) =>
      order.indexOf(a.command) - order.indexOf(b.command) ||
      a.count - b.count ||
      a.latencyMs - b.latencyMs ||
      NAMES.indexOf(a.candidate) - NAMES.indexOf(b.candidate),
  );
  return markdownTable(
    [
      "command",
      "N",
      "latency ms",
      "with",
      "wall",
      "x floor",
      "x ours",
      "requests",
      "sockets",
      "state kB",
      "peak MB",
    ],
    sorted.map(cells),
  );
}
