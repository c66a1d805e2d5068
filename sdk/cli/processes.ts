/** Runs programs of the user: Pulumi and npm. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process";

interface ProcessRun {
  readonly isDone: boolean;
  readonly output: string;
  /** The text that it wrote to standard error. */
  readonly errors: string;
}

type Place = Pick<SpawnSyncOptions, "cwd" | "env">;

/** Runs a program, whose output is never on disk. `instead`: advice if it is not installed. Throws an Error. */
function run(program: string, args: readonly string[], place: Place, instead = ""): ProcessRun {
  // npm is a script, which Windows can start only through its shell, as one line. No argument needs quotes.
  const shell = process.platform === "win32" && program === "npm";
  const [command, list] = shell ? [[program, ...args].join(" "), []] : [program, args];
  const options = { ...place, shell, encoding: "utf8", maxBuffer: 1024 ** 3 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, list, options);
  if (error !== undefined)
    throw new Error(`${program}: cannot be run: ${error.message}. Is it on the PATH?${instead}`);
  return { isDone: status === 0, output: stdout, errors: stderr.trim() };
}

/** The program's output. Throws an Error if the program fails. */
export function outputOf(program: string, args: readonly string[], place: Place, instead?: string): string {
  const { isDone, output, errors } = run(program, args, place, instead);
  if (!isDone) throw new Error(`${program} ${args.join(" ")}: ${errors || output.trim()}`);
  return output;
}

/** Runs `pulumi`, which may fail. */
export const pulumi = (args: readonly string[], place: Place = {}): ProcessRun => run("pulumi", args, place);

/** The output of `pulumi`. `instead`: the option to give if there is no Pulumi. Throws an Error. */
export const pulumiOutput = (args: readonly string[], instead?: string): string =>
  outputOf("pulumi", args, {}, instead && ` Or give ${instead}`);

/** The arguments that name the stack; none for the selected one. */
export const stackArguments = (stack: string | undefined): string[] =>
  stack === undefined ? [] : ["--stack", stack];
