/** The environment of programs in other languages: a clean PATH with Pulumi and the tools of the language. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** A time-out in milliseconds, long enough for a machine's first run to build a language host and install packages. */
export const WITH_BUILD = 1_200_000;

const TOOLCHAIN = path.join(__dirname, "..", "..", "..", "tools", "toolchain");

export type Variables = Readonly<Record<string, string>>;

/**
 * The environment variables of programs in the language; `first`: the first folders of the PATH. If Pulumi's host for
 * the language is missing, waits until it is built.
 */
export function hosting(
  language: "nodejs" | "python" | "yaml" | "java",
  ...first: readonly string[]
): Variables {
  const host = language === "nodejs" ? [] : linesOf("hosts.mjs", language);
  // Without `.bin`, Pulumi finds the plugin only through the project's file.
  const otherFolders = pathFolders().filter((folder) => path.basename(folder) !== ".bin");
  const folders = [...first, path.dirname(process.execPath), ...host, ...otherFolders];
  return { PATH: folders.join(path.delimiter) };
}

/** Runs a program of `tools/toolchain` and returns its output's lines; throws its error output if the program fails. */
export function linesOf(program: string, ...args: readonly string[]): string[] {
  const ran = spawnSync(process.execPath, [path.join(TOOLCHAIN, program), ...args], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout.split("\n").filter(Boolean);
}

const pathFolders = (): string[] => (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
