// One candidate on a separate stack and service: runs commands and measures their cost.
import { spawn } from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findHost } from "../toolchain/hosts.mjs";
import { watchProvider } from "./memory.mjs";

const require = createRequire(import.meta.url);
const programs = path.join(root, "tools", "bench", "programs");

/** Runs `work(stack)`, then removes the service and the stack. `plugins` and `needed`: see the candidates. */
export async function onStack(
  { program, language = "nodejs", plugins, needed = () => ({}), emulatorOptions, variables },
  work,
) {
  const { startEmulator } = require(path.join(root, "dist", "sdk", "emulator", "index.js"));
  const emulator = await startEmulator(emulatorOptions);
  const below = path.join(root, ".cache", "bench");
  fs.mkdirSync(below, { recursive: true });
  const folder = fs.mkdtempSync(path.join(below, `${program}-`));
  try {
    const stack = new Stack(folder, emulator, { program, language, plugins, needed, variables });
    await stack.begin();
    return await work(stack);
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Stack {
  constructor(folder, emulator, { program, language, plugins, needed, variables }) {
    Object.assign(this, { folder, emulator, program, language, plugins, home: path.join(folder, "home") });
    const environment = pulumiEnvironment(this.home);
    const hosts = language === "nodejs" ? [] : [findHost(language)];
    const { PATH: first, ...others } = needed();
    this.environment = {
      ...environment,
      ...others,
      PATH: [...(first === undefined ? [] : [first]), environment.PATH, ...hosts].join(path.delimiter),
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      ...variables,
    };
  }

  async begin() {
    for (const file of fs.readdirSync(programs))
      fs.copyFileSync(path.join(programs, file), path.join(this.folder, file));
    const manifest = { name: "bench", main: `${this.program}.js` };
    fs.writeFileSync(path.join(this.folder, "package.json"), JSON.stringify(manifest));
    this.#writeProject({});
    await pulumiIn(this.folder, this.environment, ["stack", "init", "bench"]);
  }

  /** Runs the command; returns wall seconds, requests, new connections, bytes of state, and the provider's peak kB. */
  async measure(args, variables = {}) {
    this.#writeProject(variables);
    const sockets = new Set();
    const count = ({ socket }) => sockets.add(socket);
    this.emulator.requests.length = 0;
    diagnostics.subscribe("http.server.request.start", count);
    const provider = watchProvider(this.home);
    const started = performance.now();
    try {
      await pulumiIn(this.folder, { ...this.environment, ...variables }, args);
    } finally {
      diagnostics.unsubscribe("http.server.request.start", count);
    }
    const seconds = (performance.now() - started) / 1000;
    const peakKb = provider.stop();
    return {
      seconds,
      requests: this.emulator.requests.length,
      sockets: sockets.size,
      stateBytes: this.#stateBytes(),
      peakKb,
    };
  }

  /** Runs the command, and kills it with all its child processes once the service has received `count` POSTs. */
  async killedAfter(args, variables, count) {
    const { requests } = this.emulator;
    requests.length = 0;
    const isEnough = () => requests.filter(({ method }) => method === "POST").length >= count;
    await killedPulumiIn(this.folder, { ...this.environment, ...variables }, args, isEnough);
    await pulumiIn(this.folder, this.environment, ["cancel", "--yes"]);
  }

  /** In YAML, the project's file contains the program. */
  #writeProject(variables) {
    const options = this.language === "nodejs" ? { options: { typescript: false } } : {};
    const project = { name: "bench", runtime: { name: this.language, ...options } };
    if (this.plugins !== undefined)
      project.plugins = { providers: [{ name: "deployment-control", path: this.plugins() }] };
    if (this.language === "yaml") {
      const { declared } = require(path.join(programs, this.program));
      const { BENCH_COUNT, BENCH_ROUND = "0" } = { ...this.environment, ...variables };
      project.resources = declared(Number(BENCH_COUNT), Number(BENCH_ROUND));
    }
    fs.writeFileSync(path.join(this.folder, "Pulumi.yaml"), JSON.stringify(project));
  }

  #stateBytes() {
    const file = path.join(this.home, "state", ".pulumi", "stacks", "bench", "bench.json");
    return fs.statSync(file).size;
  }
}

/** Runs a command of the CLI, and shows its output only if it fails. */
async function pulumiIn(folder, env, args) {
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
}

/** Runs a command, but kills it with all its child processes as soon as `isTime()` is true. */
async function killedPulumiIn(folder, env, args, isTime) {
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env,
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve, reject) => child.on("exit", resolve).on("error", reject));
  while (!isTime() && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
  if (child.exitCode !== null) throw new Error("the command ended before it was killed");
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
