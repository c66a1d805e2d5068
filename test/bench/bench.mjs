// `npm run bench [-- --count 1,10,100 --runs 5 --latency 0,50]`: what the provider costs beside trivial dynamic
// resources with the same inputs and outputs, in one run, in turns, so that a noisy machine is noisy for both.
// With `--waiting`: what waiting for many rollouts costs (waiting.mjs).

import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled } from "../toolchain/ensure.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";
import { fail, root, say } from "../toolchain/steps.mjs";
import { pulumiIn } from "./command.mjs";

/** Trivial with a constant provider text, trivial as people write it, and this provider. */
const CANDIDATES = ["floor", "plain", "ours"];
const OPERATIONS = ["up, create", "preview, no change", "up, no change", "up, all in place", "refresh"];

if (process.argv.includes("--waiting")) {
  await import("./waiting.mjs");
  process.exit();
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1,10,100" },
    runs: { type: "string", default: "5" },
    latency: { type: "string", default: "0" },
    json: { type: "string" },
  },
});

try {
  ensureInstalled();
  ensureBuilt();
  const { version } = findPulumi();
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model ?? "unknown"}, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}, Pulumi ${version}`;
  console.log(
    `${machine}\nMedian of ${values.runs} (lowest to highest), wall seconds of the whole command.\n`,
  );
  const rows = [];
  for (const latencyMs of numbers(values.latency)) {
    for (const count of numbers(values.count)) rows.push(...(await measure(count, latencyMs)));
  }
  if (values.json) fs.writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
} catch (error) {
  fail(error);
}

function numbers(words) {
  return words.split(",").map(Number);
}

async function measure(count, latencyMs) {
  const times = new Map();
  for (let run = 0; run <= Number(values.runs); run += 1) {
    for (const candidate of CANDIDATES) {
      const figures = await oneRun(candidate, count, latencyMs);
      // The first run warms the machine's caches and is not counted.
      if (run === 0) continue;
      for (const [operation, figure] of Object.entries(figures)) {
        const key = `${operation}|${candidate}`;
        times.set(key, [...(times.get(key) ?? []), figure]);
      }
    }
    say(
      `${count} deployments, latency ${latencyMs} ms: run ${run} of ${values.runs}${run === 0 ? " (warm-up)" : ""}`,
    );
  }
  return OPERATIONS.map((operation) => row(operation, count, latencyMs, times));
}

function row(operation, count, latencyMs, times) {
  const of = (candidate) => times.get(`${operation}|${candidate}`);
  const [floor, plain, ours] = CANDIDATES.map((candidate) => of(candidate).map(({ seconds }) => seconds));
  const ratio = median(ours) / median(floor);
  const { requests, stateBytes } = of("ours").at(-1);
  const floorBytes = of("floor").at(-1).stateBytes;
  console.log(
    `${String(count).padStart(4)} deployments, ${String(latencyMs).padStart(2)} ms  ${operation.padEnd(18)}  floor ${spread(floor)}  plain ${spread(plain)}  ours ${spread(ours)}  ` +
      `${ratio.toFixed(2)} x  ${requests} requests  state ${Math.round(stateBytes / 1000)} kB (floor ${Math.round(floorBytes / 1000)} kB)`,
  );
  return { operation, count, latencyMs, floor, plain, ours, ratio, requests, stateBytes, floorBytes };
}

function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

function spread(figures) {
  return `${median(figures).toFixed(2)} s (${Math.min(...figures).toFixed(2)} to ${Math.max(...figures).toFixed(2)})`;
}

/** Every operation once, on a stack and a service of its own. */
async function oneRun(candidate, count, latencyMs) {
  const { startEmulator } = createRequire(import.meta.url)(
    path.join(root, "dist", "sdk", "emulator", "index.js"),
  );
  const emulator = await startEmulator({ revisionSeconds: 0, latencyMs });
  const work = path.join(root, ".cache", "bench");
  fs.mkdirSync(work, { recursive: true });
  const folder = fs.mkdtempSync(path.join(work, `${candidate}-`));
  try {
    return await operations(candidate, count, emulator, folder);
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function operations(candidate, count, emulator, folder) {
  const programs = path.join(root, "test", "bench", "programs");
  for (const file of fs.readdirSync(programs))
    fs.copyFileSync(path.join(programs, file), path.join(folder, file));
  fs.writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "bench", main: `${candidate}.js` }),
  );
  fs.writeFileSync(
    path.join(folder, "Pulumi.yaml"),
    "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  const environment = {
    ...pulumiEnvironment(path.join(folder, "home")),
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
  };
  const pulumi = (round, ...args) =>
    pulumiIn(folder, { ...environment, BENCH_COUNT: String(count), BENCH_ROUND: String(round) }, args);
  await pulumi(0, "stack", "init", "bench");
  const commands = {
    "up, create": [0, "up", "--yes", "--skip-preview"],
    "preview, no change": [0, "preview"],
    "up, no change": [0, "up", "--yes", "--skip-preview"],
    "up, all in place": [1, "up", "--yes", "--skip-preview"],
    refresh: [1, "refresh", "--yes", "--skip-preview"],
  };
  const figures = {};
  for (const operation of OPERATIONS) {
    emulator.requests.length = 0;
    const started = performance.now();
    await pulumi(...commands[operation]);
    const seconds = (performance.now() - started) / 1000;
    figures[operation] = { seconds, requests: emulator.requests.length, stateBytes: stateBytes(folder) };
  }
  return figures;
}

function stateBytes(folder) {
  const file = path.join(folder, "home", "state", ".pulumi", "stacks", "bench", "bench.json");
  return fs.statSync(file).size;
}
