// One candidate on a stack and a service of its own: the commands that are measured, and what each of them took.
import diagnostics from "node:diagnostics_channel";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { root } from "../toolchain/steps.mjs";
import { killedPulumiIn, pulumiIn } from "./command.mjs";
import { watchProvider } from "./memory.mjs";

const programs = path.join(root, "test", "bench", "programs");

/** Runs `work(stack)`; the service and the stack are gone afterwards. `plugins`: see the candidates. */
export async function onStack({ program, plugins, emulatorOptions, variables }, work) {
  const { startEmulator } = createRequire(import.meta.url)(
    path.join(root, "dist", "sdk", "emulator", "index.js"),
  );
  const emulator = await startEmulator(emulatorOptions);
  const below = path.join(root, ".cache", "bench");
  fs.mkdirSync(below, { recursive: true });
  const folder = fs.mkdtempSync(path.join(below, `${program}-`));
  try {
    const stack = new Stack(folder, emulator, { program, plugins, variables });
    await stack.begin();
    return await work(stack);
  } finally {
    await emulator.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Stack {
  constructor(folder, emulator, { program, plugins, variables }) {
    Object.assign(this, { folder, emulator, program, plugins, home: path.join(folder, "home") });
    this.environment = {
      ...pulumiEnvironment(this.home),
      DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
      ...variables,
    };
  }

  async begin() {
    for (const file of fs.readdirSync(programs))
      fs.copyFileSync(path.join(programs, file), path.join(this.folder, file));
    const manifest = { name: "bench", main: `${this.program}.js` };
    fs.writeFileSync(path.join(this.folder, "package.json"), JSON.stringify(manifest));
    fs.writeFileSync(path.join(this.folder, "Pulumi.yaml"), JSON.stringify(this.#project()));
    await pulumiIn(this.folder, this.environment, ["stack", "init", "bench"]);
  }

  /** Runs the command: wall seconds, requests, connections opened, bytes of state, peak memory of the provider in kB. */
  async measure(args, variables = {}) {
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

  /** Runs the command and kills it with all that it has started, once so many POSTs were answered. */
  async killedAfter(args, variables, count) {
    const { requests } = this.emulator;
    requests.length = 0;
    const made = () => requests.filter(({ method }) => method === "POST").length >= count;
    await killedPulumiIn(this.folder, { ...this.environment, ...variables }, args, made);
    await pulumiIn(this.folder, this.environment, ["cancel", "--yes"]);
  }

  #project() {
    const runtime = { name: "nodejs", options: { typescript: false } };
    if (this.plugins === undefined) return { name: "bench", runtime };
    const provider = { name: "deployment-control", path: this.plugins() };
    return { name: "bench", runtime, plugins: { providers: [provider] } };
  }

  #stateBytes() {
    const file = path.join(this.home, "state", ".pulumi", "stacks", "bench", "bench.json");
    return fs.statSync(file).size;
  }
}
