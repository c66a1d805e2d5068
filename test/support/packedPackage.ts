/** Used by the tests that install the package as users do: runs commands, and packs the package. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");

/** Runs a command and returns its output. If the command fails, throws the whole output as an error. */
export function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** Packs the package into the folder. Returns the archive's path. */
export const packedInto = (folder: string): string =>
  path.join(folder, run(ROOT, "npm", "pack", "--silent", "--pack-destination", folder).trim());
