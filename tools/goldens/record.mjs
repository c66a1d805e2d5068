// `npm run goldens [-- NAME …]`: re-records the plans and results in test/goldens, with the real CLI and
// the embedded service. Then derives the reports from them. `npm run goldens -- none` only derives the
// reports.
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { fail, nodeBin, root, say } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { derive } from "./derive.mjs";
import { scenarios } from "./scenarios.mjs";

const here = path.join(root, "test", "goldens");
const stack = "dev";
const plugins = { providers: [{ name: "deployment-control", path: nodeBin }] };

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Ids that are not replaced: ids in the programs, and the engine's mark for an unknown value. */
const FIXED = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
  "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
  "9d2c7a54-2f0e-4f3b-8f57-0a6a5de2c111",
]);

/** Records a scenario's plan, and its result if the scenario has one. */
async function record(scenario) {
  const { startEmulator } = createRequire(import.meta.url)(
    path.join(root, "dist", "sdk", "emulator", "index.js"),
  );
  const emulator = await startEmulator({ revisionSeconds: 0, ...scenario.service });
  const work = path.join(root, ".cache", "goldens");
  fs.mkdirSync(work, { recursive: true });
  const folder = fs.mkdtempSync(path.join(work, `${scenario.name}-`));
  try {
    await recordIn(folder, scenario, emulator);
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function recordIn(folder, scenario, emulator) {
  const pulumi = await stackIn(folder, scenario, emulator);
  const ids = new Map();
  const clean = (text) => normalized(text, { folder, root, url: emulator.url, ids });
  await scenario.before?.(emulator);
  if (scenario.from === 1) await pulumi.tolerating(0, "up", "--yes", "--skip-preview");
  await scenario.between?.({ emulator, pulumi });
  const preview = await pulumi.tolerating(
    1,
    "preview",
    "--json",
    "--parallel",
    "1",
    ...(scenario.flags ?? []),
  );
  fs.writeFileSync(path.join(here, "previews", `${scenario.name}.json`), clean(preview));
  if (scenario.result !== true) return;
  await scenario.meanwhile?.(emulator);
  const log = path.join(folder, "events.json");
  const events = await pulumi.tolerating(1, "up", "--yes", "--skip-preview", "--json", "--event-log", log);
  fs.writeFileSync(path.join(here, "results", `${scenario.name}.up.jsonl`), clean(events));
  fs.writeFileSync(
    path.join(here, "results", `${scenario.name}.events.jsonl`),
    clean(fs.readFileSync(log, "utf8")),
  );
}

async function stackIn(folder, scenario, emulator) {
  const programs = path.join(root, "tools", "goldens", "programs");
  for (const file of fs.readdirSync(programs))
    fs.copyFileSync(path.join(programs, file), path.join(folder, file));
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "agents", main: "index.js" }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  fs.writeFileSync(
    path.join(folder, "Pulumi.yaml"),
    JSON.stringify({ name: "agents", runtime, ...(scenario.form === "plugin" && { plugins }) }),
  );
  const environment = {
    ...pulumiEnvironment(path.join(folder, "home")),
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    RUNTIME_URL: `${emulator.url}/runtime`,
    // Without this variable, the CLI has no --event-log.
    PULUMI_DEBUG_COMMANDS: "true",
    FORM: scenario.form ?? "dynamic",
    SCENARIO: scenario.program ?? scenario.name,
    ...scenario.environment,
  };
  const run = (round, ...args) => pulumiIn(folder, { ...environment, ROUND: String(round) }, args);
  await succeeding(run(0, "stack", "init", stack));
  return {
    folder,
    tolerating: async (...args) => (await run(...args)).stdout,
    succeeding: (...args) => succeeding(run(...args)),
    importing: (state) => {
      const file = path.join(folder, "imported.json");
      fs.writeFileSync(file, JSON.stringify(state));
      return succeeding(run(0, "stack", "import", "--file", file));
    },
  };
}

async function succeeding(running) {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(`pulumi ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a Pulumi command. Returns its exit code, standard output and standard error. Standard output may be JSON. */
async function pulumiIn(cwd, env, args) {
  const all = [...args, "--non-interactive", "--color", "never"];
  const running = promisify(execFile)("pulumi", all, { cwd, env, maxBuffer: 1e9 });
  const ended = await running.then(
    (outputs) => ({ ...outputs, code: 0 }),
    (failure) => failure,
  );
  if (process.env.VERBOSE) say(`pulumi ${args.join(" ")}: ${ended.code}\n${ended.stderr}`);
  return ended;
}

/** Replaces the parts that differ from run to run: ids, times, ports, folders. */
function normalized(text, { folder, root, url, ids }) {
  const idFor = (id) => {
    if (FIXED.has(id)) return id;
    if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`);
    return ids.get(id);
  };
  return withoutTraces(text)
    .replaceAll(url, "http://127.0.0.1:4000")
    .replaceAll(folder, "/project")
    .replaceAll(root, "/package")
    .replace(UUID, idFor)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-02T03:04:05Z")
    .replace(/"duration": ?\d+/g, '"duration": 1000000000')
    .replace(/"(durationSeconds|timestamp)": ?\d+/g, '"$1":1000000000');
}

/** Removes stack traces, because most of their lines are paths in Pulumi's own code. */
function withoutTraces(text) {
  try {
    const withoutStackTrace = (key, value) => (key === "stackTrace" ? undefined : value);
    return `${JSON.stringify(JSON.parse(text), withoutStackTrace, 2)}\n`;
  } catch {
    // The output has several documents, one per line.
    return text;
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
try {
  ensureInstalled();
  ensureBuilt();
  const unknown = positionals.find(
    (name) => name !== "none" && !scenarios.some((scenario) => scenario.name === name),
  );
  if (unknown)
    throw new Error(`no scenario ${unknown}; there are ${scenarios.map(({ name }) => name).join(", ")}`);
  for (const scenario of positionals.includes("none") ? [] : scenarios) {
    if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
    say(`recording ${scenario.name}`);
    await record(scenario);
  }
  derive();
} catch (error) {
  fail(error);
}
