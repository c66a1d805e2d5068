/** Runs the package's commands as a user does, against a service in this process. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../sdk/emulator/index";

const ROOT = path.join(__dirname, "..", "..", "..");
const COMMAND = path.join(ROOT, "dist", "sdk", "cli", "main.js");

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Runs `adopt`. `variables`: environment variables in addition to the variable with the service's URL. */
export function adopt(
  emulator: Emulator,
  cwd: string,
  args: readonly string[],
  variables: Variables = {},
  input = "",
): Promise<Ran> {
  const env = { ...withoutOurs(process.env), DEPLOYMENT_CONTROL_BASE_URL: emulator.url, ...variables };
  return cli(["adopt", ...args], cwd, env, input);
}

export const cli = (args: readonly string[], cwd: string, env: Variables, input = ""): Promise<Ran> =>
  ran(process.execPath, [COMMAND, ...args], cwd, env, input);

const withoutOurs = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("DEPLOYMENT_CONTROL_")));

export function ran(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Variables,
  input = "",
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    let [out, errors] = ["", ""];
    child.stdout.on("data", (text) => {
      out += text;
    });
    child.stderr.on("data", (text) => {
      errors += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, errors }));
    child.stdin.end(input);
  });
}

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A folder for one test, below the project, so that programs in it find the package. */
export function workFolder(): string {
  const cache = path.join(ROOT, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "adopt-"));
  folders.push(folder);
  return folder;
}
