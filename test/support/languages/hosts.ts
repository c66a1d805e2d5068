/** The hosts for programs in other languages: a clean PATH with Pulumi, and with the tools that the language needs. */
import { spawnSync } from "node:child_process";
import path from "node:path";

/** Long enough for what the first run on a machine waits for: a host's build, an installation. */
export const WITH_BUILD = 1_200_000;

const TOOLCHAIN = path.join(__dirname, "..", "..", "..", "tools", "toolchain");

export type Variables = Readonly<Record<string, string>>;

/**
 * The variables with which programs of the language run; `first` are folders that the PATH begins with. Waits for a
 * build where Pulumi's own host is not to be found.
 */
export function hosting(language: "nodejs" | "python" | "yaml", ...first: readonly string[]): Variables {
  const host = language === "nodejs" ? [] : linesOf("hosts.mjs", language);
  // Else a plugin that only the PATH leads to would seem to be found by the project's own file.
  const others = pathFolders().filter((folder) => path.basename(folder) !== ".bin");
  const folders = [...first, path.dirname(process.execPath), ...host, ...others];
  return { PATH: folders.join(path.delimiter) };
}

/** The output of a program of the toolchain, line by line. Throws its words if it fails. */
export function linesOf(program: string, ...args: readonly string[]): string[] {
  const ran = spawnSync(process.execPath, [path.join(TOOLCHAIN, program), ...args], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout.split("\n").filter(Boolean);
}

const pathFolders = (): string[] => (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
