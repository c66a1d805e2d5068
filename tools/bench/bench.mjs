// `npm run bench`: measures the cost of each command with our resources and with trivial dynamic resources
// (the floor). The trivial resources have the same inputs and outputs but send no request. The candidates
// take turns, so that noise affects all of them alike. Prints one table; `--write` puts the table into
// docs/performance.md.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { fail, nodeBin, root, say } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";

const PAGE = path.join(root, "docs", "performance.md");
const TABLE = /(?<=<!-- bench -->\n)[\s\S]*(?=\n<!-- \/bench -->)/;

const CANDIDATES = {
  floor: { program: "floor" },
  "dynamic form": { program: "dynamic" },
  plugin: { program: "plugin" },
  "dynamic form, no checkpoints": {
    program: "dynamic",
    variables: { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" },
  },
};

const up = ["up", "--yes", "--skip-preview"];
const COMMANDS = {
  "up, create": { round: 0, args: up },
  "preview, no change": { round: 0, args: ["preview"] },
  "up, no change": { round: 0, args: up },
  refresh: { round: 0, args: ["refresh", "--yes", "--skip-preview"] },
  "up, update all in place": { round: 1, args: up },
  destroy: { round: 1, args: ["destroy", "--yes", "--skip-preview"] },
};

/** Measures the seconds and requests of each command on a new stack and a new service. */
async function measured({ program, variables }, count, latencyMs) {
  const { startEmulator } = createRequire(import.meta.url)(
    path.join(root, "dist", "sdk", "emulator", "index.js"),
  );
  const emulator = await startEmulator({ revisionSeconds: 0, latencyMs });
  fs.mkdirSync(path.join(root, ".cache", "bench"), { recursive: true });
  const folder = fs.mkdtempSync(path.join(root, ".cache", "bench", `${program}-`));
  try {
    fs.cpSync(path.join(root, "tools", "bench", "programs"), folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ main: "program.js" }));
    const runtime = { name: "nodejs", options: { typescript: false } };
    const plugins = { providers: [{ name: "deployment-control", path: nodeBin }] };
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime, plugins }));
    const environment = {
      ...pulumiEnvironment(path.join(folder, "home")),
      ...variables,
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      BENCH_PROGRAM: program,
      BENCH_COUNT: String(count),
    };
    // Shows the output of a command only if the command fails.
    const pulumi = (args, round) =>
      promisify(execFile)("pulumi", [...args, "--non-interactive"], {
        cwd: folder,
        env: { ...environment, BENCH_ROUND: String(round) },
        maxBuffer: 1e9,
      }).catch(({ stdout, stderr }) => {
        throw new Error(`pulumi ${args.join(" ")}:\n${stdout}${stderr}`);
      });
    await pulumi(["stack", "init", "bench"], 0);
    const figures = {};
    for (const [command, { round, args }] of Object.entries(COMMANDS)) {
      emulator.requests.length = 0;
      const started = performance.now();
      await pulumi(args, round);
      const seconds = (performance.now() - started) / 1000;
      figures[command] = { seconds, requests: emulator.requests.length };
    }
    return figures;
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** One row for each command. */
async function rowsOf(count, runs, latencyMs) {
  const samples = Object.fromEntries(Object.keys(CANDIDATES).map((name) => [name, []]));
  for (let run = 1; run <= runs; run += 1) {
    for (const [name, candidate] of Object.entries(CANDIDATES))
      samples[name].push(await measured(candidate, count, latencyMs));
    say(`${count} deployments: run ${run} of ${runs}`);
  }
  return Object.keys(COMMANDS).map((command) => {
    const [floor, ...ours] = Object.values(samples).map((each) =>
      median(each.map((figures) => figures[command].seconds)),
    );
    const { requests } = samples["dynamic form"][0][command];
    const cells = ours.flatMap((seconds) => [`${seconds.toFixed(1)} s`, (seconds / floor).toFixed(2)]);
    return [command, count, runs, `${floor.toFixed(1)} s`, ...cells, requests];
  });
}

function tableOf(rows) {
  const [floor, ...ours] = Object.keys(CANDIDATES);
  const header = [
    ...["command", "N", "runs", floor],
    ...ours.flatMap((name) => [name, "x floor"]),
    "requests",
  ];
  const rule = header.map((_, index) => (index === 0 ? "---" : "--:"));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1,100,500" },
    runs: { type: "string", default: "5,3,1" },
    latency: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
});

try {
  ensureInstalled();
  ensureBuilt();
  const [counts, runs] = [values.count, values.runs].map((words) => words.split(",").map(Number));
  const rows = [];
  for (const [index, count] of counts.entries())
    rows.push(...(await rowsOf(count, runs[index] ?? runs.at(-1), Number(values.latency))));
  const machine = `${os.availableParallelism()} x ${os.cpus()[0]?.model}, ${os.type()}, Node ${process.version}, Pulumi ${findPulumi().version}, latency ${values.latency} ms, ${new Date().toISOString().slice(0, 10)}`;
  const text = `${tableOf(rows)}\n\n(${machine})`;
  console.log(text);
  if (values.write) {
    const page = fs.readFileSync(PAGE, "utf8");
    fs.writeFileSync(
      PAGE,
      page.replace(TABLE, () => text),
    );
  }
} catch (error) {
  fail(error);
}
