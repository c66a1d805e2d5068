/**
 * A project on disk whose program reads its settings from the configuration. The command under test runs the `pulumi`
 * on the PATH in this project.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";
import { type Ran, ran } from "../adopt/command";
import { isPlugin, PLUGINS } from "./form";

const ROOT = path.join(__dirname, "..", "..", "..");
const COMMAND = path.join(ROOT, "dist", "sdk", "cli", "main.js");
export const KEY = "key-of-the-service-that-stays-hidden";

const HEAD = `const pulumi = require("@pulumi/pulumi");
const { Deployment } = ${
  isPlugin
    ? `{ Deployment: require(${JSON.stringify(path.join(__dirname, "generatedClass.js"))}).generatedClass("Deployment") }`
    : 'require("pulumi-deployment-control")'
};
const config = new pulumi.Config();
`;

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

export class CommandProject {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor() {
    const work = path.join(ROOT, ".cache", "engine");
    mkdirSync(work, { recursive: true });
    this.folder = mkdtempSync(path.join(work, "project-"));
    folders.push(this.folder);
    const state = path.join(this.folder, "state");
    mkdirSync(state);
    this.#environment = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: this.folder,
      PULUMI_HOME: path.join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "1",
    };
  }

  /** `settings`: the stack's settings, in addition to the service's URL and key. */
  static async on(
    emulator: Emulator,
    program: string,
    settings: { readonly [key: string]: string },
  ): Promise<CommandProject> {
    const project = new CommandProject();
    const runtime = { name: "nodejs", options: { typescript: false } };
    const about = JSON.stringify({ name: "app", runtime, main: "index.js", ...PLUGINS });
    writeFileSync(path.join(project.folder, "Pulumi.yaml"), about);
    project.write(program);
    await project.pulumi("stack", "init", "dev");
    const plain = Object.entries({ "deployment-control:baseUrl": emulator.url, ...settings });
    const plainArguments = plain.flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    const secretArguments = ["--secret", `deployment-control:apiKey=${KEY}`];
    await project.pulumi("config", "set-all", ...plainArguments, ...secretArguments);
    return project;
  }

  /** Writes the program, which can use `pulumi`, `config` and `Deployment`. */
  write(program: string): void {
    writeFileSync(path.join(this.folder, "index.js"), HEAD + program);
  }

  /** Runs the Pulumi CLI and returns its output; throws the output if the CLI fails. */
  async pulumi(...args: readonly string[]): Promise<string> {
    const { code, out, errors } = await this.#run("pulumi", args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")}\n${out}${errors}`);
    return out;
  }

  up(): Promise<string> {
    return this.pulumi("up", "--yes", "--skip-preview", "--non-interactive", "--color", "never");
  }

  /** Runs a command of `deployment-control`. */
  command(...args: readonly string[]): Promise<Ran> {
    return this.#run(process.execPath, [COMMAND, ...args]);
  }

  #run(program: string, args: readonly string[]): Promise<Ran> {
    return ran(program, args, this.folder, this.#environment);
  }
}
