/** Input of the commands: files, standard input, and the output of the user's own Pulumi. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** The text of a file; `-` is standard input. Throws an Error. */
export function textIn(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new Error(`${nameOf(file)}: cannot be read: ${(error as Error).message}`);
  }
}

/** The output of `pulumi`, which is never on disk. `instead` is what to give if there is no Pulumi. Throws an Error. */
export function pulumiOutput(args: readonly string[], instead: string): string {
  const { status, stdout, stderr, error } = spawnSync("pulumi", args, {
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  if (error !== undefined)
    throw new Error(`pulumi: cannot be run: ${error.message}. Is it on the PATH? Or give ${instead}`);
  if (status !== 0) throw new Error(`pulumi ${args.join(" ")}: ${stderr.trim()}`);
  return stdout;
}

/** The arguments that name the stack; none for the selected one. */
export const stackArguments = (stack: string | undefined): string[] =>
  stack === undefined ? [] : ["--stack", stack];
