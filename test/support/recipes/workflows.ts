/** Reads the recipes of examples/ci as strings and as workflows, and runs their steps with stand-ins for commands. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { ACTION, CLI_SUM } from "./action";

const FOLDER = path.join(__dirname, "..", "..", "..", "examples", "ci");
const { loadAll } = createRequire(__filename)("js-yaml") as { loadAll(text: string): unknown[] };

export const recipes = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.\w+$/.test(file),
);
const ACTION_FILES = readdirSync(ACTION).map((file) => path.relative(FOLDER, path.join(ACTION, file)));
export const files = [...recipes, ...ACTION_FILES];
export const fileOf = (file: string): string => path.join(FOLDER, file);
export const text = (file: string): string => readFileSync(fileOf(file), "utf8");
export const yamls = files.filter((file) => file.endsWith(".yml"));
export const workflows = yamls.filter((file) => file.startsWith("github"));
/** The documents of a YAML file: a component has two. */
export const documents = (file: string): unknown[] => loadAll(text(file));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly name?: string;
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
export const workflow = (file: string): Workflow => documents(file)[0] as Workflow;
export const steps = (file: string): Step[] => Object.values(workflow(file).jobs).flatMap((job) => job.steps);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Stand-ins for the commands that prepare a job. */
const PREPARING = { npm: ":", tar: ":", sha256sum: `echo "${CLI_SUM}  archive"` };

/** A folder for one test, with an installed package, and stand-ins for `commands` and for the setup commands. */
export function folderWith(commands: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-recipe-"));
  folders.push(folder);
  mkdirSync(path.join(folder, "bin"));
  const installed = path.join(folder, "node_modules", "pulumi-deployment-control");
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, "package.json"), "{}");
  for (const [name, words] of Object.entries({ ...PREPARING, ...commands })) standIn(folder, name, words);
  return folder;
}

/** Writes a stand-in for a command, in place of an earlier stand-in. */
export const standIn = (folder: string, name: string, words: string): void =>
  writeFileSync(path.join(folder, "bin", name), `#!/bin/sh\n${words}\n`, { mode: 0o755 });

/** Returns `describe`, or `describe.skip` if the machine lacks a program, and a suffix that names missing programs. */
export function describeWith(programs: readonly string[]) {
  const missing = programs.filter((name) => spawnSync(name, ["--version"]).error !== undefined);
  const suffix = missing.length === 0 ? "" : ` (skipped: this machine has no ${missing.join(" and no ")})`;
  return { where: missing.length === 0 ? describe : describe.skip, suffix };
}

/** Runs a step's script in the folder with its stand-ins. */
export const shellIn = (folder: string, shell: string, script: string, environment: NodeJS.ProcessEnv) =>
  spawnSync(shell, ["-e", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
      TMPDIR: folder,
      STACK: "production",
      GITHUB_ACTION_PATH: ACTION,
      ...environment,
    },
  });
