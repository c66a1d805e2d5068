/** The hosts for programs in other languages: a clean PATH with Pulumi, and with the tools that the language needs. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Long enough for the first run on a machine, which waits for a host's build and an installation. */
export const WITH_BUILD = 1_200_000;

const TOOLCHAIN = path.join(__dirname, "..", "..", "..", "tools", "toolchain");

export type Variables = Readonly<Record<string, string>>;

/**
 * The variables with which programs of the language run; `first` are folders at the start of the PATH. Waits for a
 * build if Pulumi's own host is missing.
 */
export function hosting(
  language: "nodejs" | "python" | "yaml" | "java",
  ...first: readonly string[]
): Variables {
  const host = language === "nodejs" ? [] : linesOf("hosts.mjs", language);
  // Otherwise, a plugin on the PATH could be found without the project's file.
  const otherFolders = pathFolders().filter((folder) => path.basename(folder) !== ".bin");
  const folders = [...first, path.dirname(process.execPath), ...host, ...otherFolders];
  return { PATH: folders.join(path.delimiter) };
}

/** The output of a program of the toolchain, line by line. Throws its output if it fails. */
export function linesOf(program: string, ...args: readonly string[]): string[] {
  const ran = spawnSync(process.execPath, [path.join(TOOLCHAIN, program), ...args], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout.split("\n").filter(Boolean);
}

const pathFolders = (): string[] => (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
