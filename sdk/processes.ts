/** Runs programs that the user has installed: Pulumi and npm. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process";

export interface ProcessRun {
  readonly isDone: boolean;
  readonly output: string;
  /** Everything that the program wrote to standard error. */
  readonly errors: string;
}

type ProcessOptions = Pick<SpawnSyncOptions, "cwd" | "env">;

/** Throws an Error if the program cannot be started. The message ends with `instead`. */
function run(program: string, args: readonly string[], place: ProcessOptions, instead = ""): ProcessRun {
  // On Windows, npm is a script that needs a shell. No argument needs quotes.
  const shell = process.platform === "win32" && program === "npm";
  const [command, list] = shell ? [[program, ...args].join(" "), []] : [program, args];
  const options = { ...place, shell, encoding: "utf8", maxBuffer: 1024 ** 3 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, list, options);
  if (error !== undefined)
    throw new Error(`${program}: cannot be run: ${error.message}. Is it on the PATH?${instead}`);
  return { isDone: status === 0, output: stdout, errors: stderr.trim() };
}

/** Throws an Error if the program fails. */
export function outputOf(
  program: string,
  args: readonly string[],
  place: ProcessOptions,
  instead?: string,
): string {
  const { isDone, output, errors } = run(program, args, place, instead);
  if (!isDone) throw new Error(`${program} ${args.join(" ")}: ${errors || output.trim()}`);
  return output;
}

/** Runs `pulumi` and returns how the run ended, even after a failure. */
export const pulumi = (args: readonly string[], place: ProcessOptions = {}): ProcessRun =>
  run("pulumi", args, place);

/** Throws an Error if `pulumi` fails. `instead`: the option to suggest if `pulumi` cannot be started. */
export const pulumiOutput = (args: readonly string[], instead?: string): string =>
  outputOf("pulumi", args, {}, instead && ` Or give ${instead}`);

/** The arguments that name the stack; none for the selected stack. */
export const stackArguments = (stack: string | undefined): string[] =>
  stack === undefined ? [] : ["--stack", stack];
