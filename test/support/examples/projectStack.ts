/** A stack of a project on disk. The CLI runs the stack as usual, but with state and settings in a separate folder. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { isWhole } from "../engine/size";

interface StackSetting {
  readonly key: string;
  readonly value: string;
  readonly secret: boolean;
}

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

export class ProjectStack {
  private constructor(
    readonly folder: string,
    readonly home: string,
    readonly environment: Readonly<Record<string, string>>,
    readonly name: string,
  ) {}

  /** `environment`: environment variables that override the test's environment variables. */
  static async of(
    folder: string,
    environment: Readonly<Record<string, string>> = {},
    name = "test",
  ): Promise<ProjectStack> {
    const home = mkdtempSync(path.join(os.tmpdir(), "deployment-control-example-"));
    homes.push(home);
    const stack = new ProjectStack(folder, home, environment, name);
    mkdirSync(path.join(stack.home, "state"));
    mkdirSync(stack.#settings);
    // `stack init` writes the stack's settings next to the project file, so the stack is made from a copy of the file.
    copyFileSync(path.join(folder, "Pulumi.yaml"), path.join(stack.#settings, "Pulumi.yaml"));
    await stack.#pulumi(stack.#settings, ["stack", "init", name]);
    return stack;
  }

  set(key: string, value: string, secret: boolean): Promise<void> {
    return this.setAll([{ key, value, secret }]);
  }

  async setAll(settings: readonly StackSetting[]): Promise<void> {
    const settingArguments = settings.flatMap(({ key, value, secret }) => [
      secret ? "--secret" : "--plaintext",
      `${key}=${value}`,
    ]);
    await this.#pulumi(this.#settings, ["config", "set-all", "--stack", this.name, ...settingArguments]);
  }

  /**
   * Runs a command in the project's folder and returns its output. If the command fails, throws the output as an error.
   */
  run(...args: readonly string[]): Promise<string> {
    const settings = path.join(this.#settings, `Pulumi.${this.name}.yaml`);
    const display = ["--non-interactive", "--color", "never"];
    return this.#pulumi(this.folder, [...args, ...display, "--stack", this.name, "--config-file", settings]);
  }

  /** Installs a plugin from its archive into the folder in which this stack's engine looks for plugins. */
  async installPlugin(name: string, version: string, archive: string): Promise<void> {
    await this.#pulumi(this.#settings, ["plugin", "install", "resource", name, version, "--file", archive]);
  }

  /** The resources in the state. */
  async recorded(): Promise<{ readonly type: string; readonly sourcePosition?: string }[]> {
    const exported = await this.#pulumi(this.#settings, ["stack", "export", "--stack", this.name]);
    return JSON.parse(exported).deployment.resources;
  }

  get #settings(): string {
    return path.join(this.home, "project");
  }

  async #pulumi(cwd: string, args: readonly string[]): Promise<string> {
    const env = {
      ...process.env,
      // `npm run lint` checks the types of the examples, so the short run does not check them again in each command.
      ...(isWhole ? {} : { PULUMI_NODEJS_TRANSPILE_ONLY: "true" }),
      ...this.environment,
      PULUMI_HOME: this.home,
      PULUMI_BACKEND_URL: `file://${path.join(this.home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
    };
    const { stdout, stderr } = await promisify(execFile)("pulumi", args, { cwd, env }).catch((failure) => {
      throw new Error(`pulumi ${args.join(" ")}\n${failure.stdout}${failure.stderr}`);
    });
    return stdout + stderr;
  }
}
