// Values and functions that the steps of a release check share.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cache, nodeBin, pathFolders, root, runQuietly } from "../steps.mjs";
import { releaseTools } from "./tools.mjs";

/** The folder of this file, and the folder for all files of a release. */
export const here = path.dirname(fileURLToPath(import.meta.url));
export const output = path.join(cache, "release");

export const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

/**
 * Runs a command of the tools, the project or the PATH, and returns its output. Throws a Stop with
 * the output if the command fails.
 */
export function run(command, args, { cwd = root } = {}) {
  const PATH = [releaseTools(), nodeBin, ...pathFolders()].join(path.delimiter);
  return runQuietly(command, args, { cwd, env: { ...process.env, PATH }, minutes: 60 });
}
