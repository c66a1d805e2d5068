// `npm run bench -- --waiting [--count 100 --seconds 3 --runs 3]`: what waiting for many rollouts costs: not at all, with
// one Rollout for all, and in each Deployment. All in turns, so that a noisy machine is noisy for each.

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

const WAYS = { none: "without waiting", rollout: "one Rollout", each: "each Deployment waits" };
/** One Rollout may take no longer than the rollouts themselves and this many times the `up` without waiting. */
const ALLOWED_RATIO = 1.5;

const { values } = parseArgs({
  options: {
    waiting: { type: "boolean" },
    count: { type: "string", default: "100" },
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
  },
});
const [count, seconds, runs] = [values.count, values.seconds, values.runs].map(Number);

try {
  ensureInstalled();
  ensureBuilt();
  const { version } = findPulumi();
  console.log(
    `${os.cpus().length} x ${os.cpus()[0]?.model ?? "unknown"}, load ${os.loadavg()[0].toFixed(1)}, Node ${process.version}, Pulumi ${version}\n` +
      `pulumi up of ${count} deployments whose rollout takes ${seconds} s each: median of ${runs} (lowest to highest), wall seconds.\n`,
  );
  await report();
} catch (error) {
  fail(error);
}

async function report() {
  const figures = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));
  // The first run warms the machine's caches and is not counted.
  await up("none");
  for (let run = 1; run <= runs; run += 1) {
    for (const way of Object.keys(WAYS)) figures[way].push(await up(way));
    say(`run ${run} of ${runs}`);
  }
  for (const [way, words] of Object.entries(WAYS)) {
    const taken = figures[way].map((figure) => figure.seconds);
    const spread = `${Math.min(...taken).toFixed(2)} to ${Math.max(...taken).toFixed(2)}`;
    console.log(
      `${words.padEnd(22)} ${median(taken).toFixed(2)} s (${spread})  ${figures[way].at(-1).requests} requests`,
    );
  }
  const [none, rollout] = ["none", "rollout"].map((way) => median(figures[way].map((each) => each.seconds)));
  const allowed = seconds + ALLOWED_RATIO * none;
  console.log(
    `\none Rollout: ${rollout.toFixed(2)} s; at most ${seconds} s + ${ALLOWED_RATIO} x ${none.toFixed(2)} s = ${allowed.toFixed(2)} s: ${rollout <= allowed ? "kept" : "exceeded"}`,
  );
  if (rollout > allowed) process.exitCode = 1;
}

function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** One `pulumi up` that creates all, on a stack and a service of its own. */
async function up(way) {
  const { startEmulator } = createRequire(import.meta.url)(
    path.join(root, "dist", "sdk", "emulator", "index.js"),
  );
  const emulator = await startEmulator({ revisionSeconds: seconds });
  const work = path.join(root, ".cache", "bench");
  fs.mkdirSync(work, { recursive: true });
  const folder = fs.mkdtempSync(path.join(work, `waiting-${way}-`));
  try {
    for (const file of ["arguments.js", "waiting.js"])
      fs.copyFileSync(path.join(root, "test", "bench", "programs", file), path.join(folder, file));
    fs.writeFileSync(path.join(folder, "package.json"), '{ "name": "bench", "main": "waiting.js" }');
    fs.writeFileSync(
      path.join(folder, "Pulumi.yaml"),
      "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    );
    const env = {
      ...pulumiEnvironment(path.join(folder, "home")),
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      BENCH_COUNT: String(count),
      BENCH_ROUND: "0",
      BENCH_WAITING: way,
    };
    await pulumiIn(folder, env, ["stack", "init", "bench"]);
    const started = performance.now();
    await pulumiIn(folder, env, ["up", "--yes", "--skip-preview"]);
    return { seconds: (performance.now() - started) / 1000, requests: emulator.requests.length };
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
