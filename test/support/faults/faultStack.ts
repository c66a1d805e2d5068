/** A stack that the real CLI runs, and whose processes the tests kill. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Emulator, EmulatorOptions } from "../../../sdk/emulator/index";
import { started } from "../embeddedService";
import { PLUGINS } from "../engine/form";
import { Gate } from "./gate";

const ROOT = path.join(__dirname, "..", "..", "..");
const WORK = path.join(ROOT, ".cache", "faults");
const PROGRAMS = path.join(ROOT, "test", "faults", "programs");
const NAME = "test";
const COMMAND = path.join(ROOT, "dist", "sdk", "cli", "main.js");

/** With these variables, the engine writes its state only at the end of a run. */
export const WITHOUT_CHECKPOINTS = { PULUMI_SKIP_CHECKPOINTS: "1", PULUMI_EXPERIMENTAL: "1" };

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** Closes `each` after the test, before everything that was opened earlier. */
const closeAfterTest = (each: { close(): unknown }): void => void opened.push(each);

/** Arguments of deployments by their names in the program. */
export type Program = { readonly [name: string]: object };

export interface Ended {
  readonly code: number;
  readonly text: string;
}

export interface Service {
  readonly emulator: Emulator;
  readonly gate: Gate;
}

/** Starts a service for one test, behind a gate. */
export async function startService(options: EmulatorOptions = {}): Promise<Service> {
  const emulator = await started(options);
  const gate = await Gate.before(emulator.url);
  closeAfterTest(gate);
  return { emulator, gate };
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

interface StackOptions {
  readonly naive?: boolean;
  readonly main?: string;
  readonly home?: string;
  readonly environment?: Record<string, string>;
}

export class FaultStack {
  readonly folder: string;
  readonly home: string;
  readonly #gate: Gate;
  readonly #options: StackOptions;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(gate: Gate, options: StackOptions = {}) {
    closeAfterTest(this);
    this.#gate = gate;
    this.#options = options;
    mkdirSync(WORK, { recursive: true });
    this.folder = mkdtempSync(path.join(WORK, "stack-"));
    this.home = options.home ?? path.join(this.folder, "home");
    for (const file of readdirSync(PROGRAMS))
      copyFileSync(path.join(PROGRAMS, file), path.join(this.folder, file));
    const main = options.main ?? (options.naive ? "naive.js" : "ours.js");
    writeFileSync(path.join(this.folder, "package.json"), JSON.stringify({ name: "faults", main }));
    const runtime = { name: "nodejs", options: { typescript: false } };
    const project = { name: "faults", runtime, ...PLUGINS };
    writeFileSync(path.join(this.folder, "Pulumi.yaml"), JSON.stringify(project));
    const state = path.join(this.folder, "state");
    mkdirSync(state);
    this.#environment = {
      ...process.env,
      PULUMI_HOME: this.home,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: NAME,
      DEPLOYMENT_CONTROL_BASE_URL: gate.url,
      // A short time-out limits how late a request can arrive, and therefore how long the next run waits.
      DEPLOYMENT_CONTROL_REQUEST_TIMEOUT_SECONDS: "3",
      DEPLOYMENT_CONTROL_MAX_RETRIES: "0",
      ...options.environment,
    };
  }

  async init(): Promise<this> {
    await this.must({}, "stack", "init", NAME);
    return this;
  }

  /** The same stack on another machine: a new HOME and working copy, but the same backend and the same settings. */
  async elsewhere(): Promise<FaultStack> {
    const { home: _home, environment, ...options } = this.#options;
    const backend = { PULUMI_BACKEND_URL: this.#environment.PULUMI_BACKEND_URL as string };
    const stack = new FaultStack(this.#gate, { ...options, environment: { ...environment, ...backend } });
    const settings = `Pulumi.${NAME}.yaml`;
    if (existsSync(path.join(this.folder, settings)))
      copyFileSync(path.join(this.folder, settings), path.join(stack.folder, settings));
    await stack.must({}, "stack", "select", NAME);
    return stack;
  }

  /** Runs `deployment-control`. */
  command(...args: readonly string[]): Promise<Ended> {
    return this.#spawn(process.execPath, [COMMAND, ...args]).ended;
  }

  recover(...args: readonly string[]): Promise<Ended> {
    return this.command("recover", ...args);
  }

  /** From now on, the program declares its resources in the plugin's form. */
  moveToPlugin(): void {
    this.#environment.FORM = "plugin";
  }

  start(program: Program, ...args: readonly string[]): Running {
    return this.#spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      FAULT_PROGRAM: JSON.stringify(program),
    });
  }

  #spawn(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Running {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...this.#environment, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    // Waits until the process ends, not until its output closes, because orphans keep the output open.
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code) => {
        if (code === null) dropTruncatedAttributes(this.stateFile);
        setTimeout(() => resolve({ code: code ?? -1, text }), code === null ? 0 : 50);
      });
    });
    return { child, ended };
  }

  run(program: Program, ...args: readonly string[]): Promise<Ended> {
    return this.start(program, ...args).ended;
  }

  async must(program: Program, ...args: readonly string[]): Promise<string> {
    const { code, text } = await this.run(program, ...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }

  startUp(program: Program, ...args: readonly string[]): Running {
    return this.start(program, "up", "--yes", "--skip-preview", ...args);
  }

  up(program: Program, ...args: readonly string[]): Promise<Ended> {
    return this.startUp(program, ...args).ended;
  }

  async mustUp(program: Program, ...args: readonly string[]): Promise<void> {
    await this.must(program, "up", "--yes", "--skip-preview", ...args);
  }

  /** Removes the lock that a killed command left behind. A missing lock is not an error. */
  cancel(): Promise<Ended> {
    return this.run({}, "cancel", "--yes");
  }

  get stateFile(): string {
    const backend = fileURLToPath(this.#environment.PULUMI_BACKEND_URL as string);
    return path.join(backend, ".pulumi", "stacks", "faults", `${NAME}.json`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the state.
  async state(): Promise<any> {
    const text = await this.must({}, "stack", "export");
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)).deployment;
  }

  /** Ids of the deployments in the state. */
  async ids(): Promise<string[]> {
    const { resources = [] } = await this.state();
    return resources.flatMap(({ type, id }: { type: string; id: string }) =>
      type.endsWith(":Deployment") ? [id] : [],
    );
  }

  get journal(): string {
    return (
      this.#environment.DEPLOYMENT_CONTROL_JOURNAL || path.join(this.home, "deployment-control", "journal")
    );
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Deletes the file of attributes next to the state, as a user would, if a kill has truncated that file. Pulumi replaces
 * the state in one step, but writes the attributes in place, and does not load a state whose attributes are truncated.
 */
export function dropTruncatedAttributes(stateFile: string): void {
  const attributes = `${stateFile}.attrs`;
  try {
    JSON.parse(readFileSync(attributes, "utf8"));
  } catch {
    rmSync(attributes, { force: true });
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,args="], { maxBuffer: 1 << 26 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command: command ?? "" }];
  });
}

/** All descendants of a process, without the process itself. */
export async function descendantsOf(pid: number): Promise<Process[]> {
  const all = await processes();
  const descendants: Process[] = [];
  for (const open = [pid]; open.length > 0; ) {
    const parent = open.pop();
    for (const each of all) {
      if (each.parent !== parent) continue;
      descendants.push(each);
      open.push(each.pid);
    }
  }
  return descendants;
}

/** Matches the provider's process, but not the shell that starts it and has the same words in its command. */
const PROVIDER = /^\S*node\S*\s.*(dynamic-provider|pulumi-resource-deployment-control)/;

export function providersIn(processes: readonly Process[]): number[] {
  return processes.filter(({ command }) => PROVIDER.test(command)).map(({ pid }) => pid);
}

/** A zombie does not count as alive: the parent that inherits an orphan may take a second to reap it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !(existsSync("/proc/self/stat") && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
  } catch {
    return false;
  }
}

export function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}

/**
 * Seconds from `since` until the last of the processes has ended. Kills the processes that are still alive after twelve
 * seconds.
 */
export async function secondsUntilGone(
  pids: readonly number[],
  since: number,
): Promise<{ readonly seconds: number; readonly byThemselves: boolean }> {
  while (pids.some(isAlive) && Date.now() - since < 12_000) await new Promise((done) => setTimeout(done, 5));
  const seconds = (Date.now() - since) / 1_000;
  const byThemselves = !pids.some(isAlive);
  kill(pids);
  return { seconds, byThemselves };
}
