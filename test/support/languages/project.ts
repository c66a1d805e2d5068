/** A project for one test in a separate folder. The project's `Pulumi.yaml` names the plugin, as a user's file does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";
import { ProjectStack } from "../examples/projectStack";
import type { Variables } from "./hosts";

const PLUGIN = path.join(__dirname, "..", "..", "..", "dist", "plugin");
const KEY = "key-of-the-tests";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export class Project {
  private constructor(
    readonly emulator: Emulator,
    readonly stack: ProjectStack,
    readonly folder: string,
    private readonly runtime: string,
  ) {}

  /** Creates a project and its stack. The stack's settings have the service's URL and a key. */
  static async on(emulator: Emulator, runtime: string, environment: Variables): Promise<Project> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-language-"));
    folders.push(folder);
    writeFileSync(path.join(folder, "Pulumi.yaml"), projectFile(runtime, ""));
    const stack = await ProjectStack.of(folder, environment);
    await stack.set("deployment-control:baseUrl", emulator.url, false);
    await stack.set("deployment-control:apiKey", KEY, true);
    return new Project(emulator, stack, folder, runtime);
  }

  /** Writes the program; a YAML program is appended to the project's file. */
  write(file: string, text: string): void {
    const isProjects = file === "Pulumi.yaml";
    writeFileSync(path.join(this.folder, file), isProjects ? projectFile(this.runtime, text) : text);
  }

  /** Runs a preview that must fail and send no request. Returns its output. */
  async refusal(): Promise<string> {
    const before = this.emulator.requests.length;
    const output = await this.stack.run("preview").then(
      (text) => {
        throw new Error(`not refused: ${text}`);
      },
      (error: Error) => error.message,
    );
    expect(this.emulator.requests.slice(before)).toEqual([]);
    return output;
  }

  /** Runs a preview that must fail, and returns each of the provider's messages once, without the engine's prefix. */
  async refusals(): Promise<string[]> {
    const output = await this.refusal();
    return [
      ...new Set(
        [...output.matchAll(/error: .* has a problem: (.*)$/gm)].map(([, words]) => words as string),
      ),
    ];
  }
}

const projectFile = (runtime: string, furtherLines: string): string =>
  `name: language
runtime: ${runtime}
plugins:
  providers:
    - name: deployment-control
      path: ${JSON.stringify(PLUGIN)}
${furtherLines}`;
