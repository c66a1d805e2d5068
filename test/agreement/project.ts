/** A real Pulumi stack: the CLI commands, the state, and a program that declares the resources listed in a file. */
import { execFile, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { PLUGINS } from "../support/engine/form";
import { dropTruncatedAttributes, type Running } from "../support/faults/faultStack";
import type { Services } from "./services";
import { ROLES, type Slot } from "./slots";

/** The folder of the stacks. It is in the repository, so that the provider process finds the built package. */
const ROOT = path.join(__dirname, "..", "..");
const WORK = path.join(ROOT, ".cache", "agreement");

const STATE = "state/.pulumi/stacks/agreement/test.json";

interface Ran {
  readonly failed: boolean;
  readonly stdout: string;
  /** The whole output of the command, as the user sees it. */
  readonly text: string;
}

/**
 * Whether the engine has refused its own state. After a failure, the engine may delete a resource on which a failed
 * resource still depends.
 */
export const brokeItsState = (text: string): boolean => text.includes("snapshot integrity error");

export class Project {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** `variables`: environment variables for the project's commands. They override the variables that are set here. */
  constructor({ profile, emulators: [service, elsewhere] }: Services, variables: NodeJS.ProcessEnv = {}) {
    mkdirSync(WORK, { recursive: true });
    this.#folder = mkdtempSync(path.join(WORK, `${profile}-`));
    copyFileSync(path.join(__dirname, "program.js"), this.#file("index.js"));
    writeFileSync(this.#file("package.json"), JSON.stringify({ name: "agreement", main: "index.js" }));
    const runtime = { name: "nodejs", options: { typescript: false } };
    writeFileSync(this.#file("Pulumi.yaml"), JSON.stringify({ name: "agreement", runtime, ...PLUGINS }));
    mkdirSync(this.#file("state"));
    this.#environment = {
      ...process.env,
      PULUMI_HOME: this.#file("home"),
      PULUMI_BACKEND_URL: `file://${this.#file("state")}`,
      PULUMI_CONFIG_PASSPHRASE: "agreement",
      // The CLI has the option `--event-log` only if `PULUMI_DEBUG_COMMANDS` is set.
      PULUMI_DEBUG_COMMANDS: "true",
      DEPLOYMENT_CONTROL_BASE_URL: service.url,
      ELSEWHERE: elsewhere.url,
      DEPLOYMENT_CONTROL_PROFILE: profile,
      ...variables,
    };
  }

  /** Sets environment variables for all later commands. */
  set(variables: NodeJS.ProcessEnv): void {
    Object.assign(this.#environment, variables);
  }

  declare(round: number, slots: readonly Slot[]): void {
    writeFileSync(this.#file("declared.json"), JSON.stringify({ round, roles: ROLES, slots }));
  }

  /** Runs a CLI command that may fail. */
  async run(...args: readonly string[]): Promise<Ran> {
    const whole = [...args, "--non-interactive", "--color", "never"];
    const options = { cwd: this.#folder, env: this.#environment, maxBuffer: 1e9 };
    const { stdout, stderr, code } = await promisify(execFile)("pulumi", whole, options).then(
      (ended) => ({ ...ended, code: 0 }),
      (failure) => failure,
    );
    return { failed: code !== 0, stdout, text: `${stdout}${stderr}` };
  }

  /** Runs a command that must not fail. */
  async must(...args: readonly string[]): Promise<Ran> {
    const ran = await this.run(...args);
    if (ran.failed) throw new Error(`pulumi ${args.join(" ")}\n${ran.text}`);
    return ran;
  }

  /** Runs `pulumi up` without a preview, and returns its output and events. */
  async up(...options: readonly string[]): Promise<Ran & { readonly events: string }> {
    const file = this.#file("events.json");
    rmSync(file, { force: true });
    const ran = await this.run("up", "--yes", "--skip-preview", "--event-log", file, ...options);
    if (brokeItsState(ran.text)) await this.must("state", "repair", "--yes");
    if (!existsSync(file)) throw new Error(`pulumi up\n${ran.text}`);
    return { ...ran, events: readFileSync(file, "utf8") };
  }

  /** Starts a `pulumi up` that the caller kills. */
  startUp(...options: readonly string[]): Running {
    const args = ["up", "--yes", "--skip-preview", "--non-interactive", "--color", "never", ...options];
    const child = spawn("pulumi", args, {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    const ended = new Promise<Awaited<Running["ended"]>>((resolve) => {
      child.on("exit", (code) => resolve({ code: code ?? -1, text }));
    });
    return { child, ended };
  }

  /** Does what a user does after a kill: removes the lock and the file that the kill has truncated. */
  async afterKill(): Promise<void> {
    dropTruncatedAttributes(this.#file(STATE));
    await this.run("cancel", "--yes");
  }

  /** Runs `recover`. `loses`: whether to delete this machine's journal first. */
  async recover(loses: boolean): Promise<string> {
    if (loses) rmSync(this.#file("home/deployment-control"), { recursive: true, force: true });
    const command = path.join(ROOT, "dist", "sdk", "cli", "main.js");
    const options = { cwd: this.#folder, env: this.#environment };
    const ran = promisify(execFile)(process.execPath, [command, "recover"], options);
    const { stdout, stderr } = await ran.catch((failure) => failure);
    return `${stdout}${stderr}`;
  }

  /** The state file on the disk. */
  state(): string {
    return readFileSync(this.#file(STATE), "utf8");
  }

  /** Removes the resources with these names from the state; listeners and resources outside the slots stay. */
  async forget(isForgotten: (name: string) => boolean): Promise<void> {
    const file = this.#file("exported.json");
    await this.must("stack", "export", "--file", file);
    const exported = JSON.parse(readFileSync(file, "utf8"));
    const stays = ({ urn }: { urn: string }) =>
      /:(Listener|Stack)::|::fresh-\d+$/.test(urn) || !isForgotten(urn.split("::").at(-1) as string);
    exported.deployment.resources = exported.deployment.resources.filter(stays);
    writeFileSync(file, JSON.stringify(exported));
    await this.must("stack", "import", "--force", "--file", file);
  }

  /** The ids of the managed resources in the state, by URN, without resources that still wait to be deleted. */
  ids(): Map<string, string> {
    const { checkpoint } = JSON.parse(this.state());
    const resources: { urn: string; id?: string; delete?: boolean; external?: boolean }[] =
      checkpoint.latest?.resources ?? [];
    const managed = resources.filter((each) => !each.delete && !each.external);
    return new Map(managed.flatMap(({ urn, id }) => (id === undefined ? [] : [[urn, id]])));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }
}
