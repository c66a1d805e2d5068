/** `deployment-control emulator`: the rows for the options of `startEmulator` also define this command's flags. */

import { boolean, type Kind } from "../../provider/schema/kind";
import type { Properties } from "../../provider/schema/value";
import { behaviourRows, type EmulatorOptions, startRows } from "../emulator/behaviour";
import { startEmulator } from "../emulator/index";
import { type CommandPage, type FlagRow, flagsIn } from "./page";

type CommandOptions = Omit<EmulatorOptions, "log"> & { readonly log?: boolean };

/** Runs the embedded service until it is interrupted. */
export async function runEmulator(args: readonly string[]): Promise<void> {
  const options = optionsIn(args);
  if (options === undefined) return;
  const interruption = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    // If npm is killed, only the shell that runs npm's command ends. This process then gets a new parent.
    const parent = process.ppid;
    if (process.env.npm_command === "exec")
      setInterval(() => process.ppid === parent || resolve(), 500).unref();
  });
  // If the program that reads the log ends early (`| head`), the service keeps running.
  process.stderr.on("error", () => {});
  const { log, ...serviceOptions } = options;
  const emulator = await startEmulator({
    ...serviceOptions,
    ...(log && { log: (line) => process.stderr.write(`${line}\n`) }),
  });
  process.stdout.write(`listening on ${emulator.url}\n`);
  await interruption;
  await emulator.close();
}

interface OptionRow {
  readonly kind: Kind<unknown>;
  readonly initial: unknown;
  readonly help: string;
  readonly value?: string;
}

const log: OptionRow = {
  kind: boolean,
  initial: false,
  help: "a line on standard error for each request: method, path, status, milliseconds; no query, header or body",
};
const optionRows: Readonly<Record<string, OptionRow>> = { ...startRows, log, ...behaviourRows };

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns undefined for `--help`. For a bad option, throws an Error that says what is wrong and what is allowed. */
function optionsIn(args: readonly string[]): CommandOptions | undefined {
  const line = flagsIn(EMULATOR_PAGE, args);
  if (line === undefined) return undefined;
  const values: Properties = line.values;
  return Object.fromEntries(Object.keys(optionRows).map((name) => [name, values[kebab(name)]]));
}

function flagRow({ kind, initial, help, value }: OptionRow): FlagRow {
  const words = typeof initial === "boolean" ? (initial ? "on" : "off") : String(initial ?? "");
  return {
    kind,
    negatable: kind.type === "boolean",
    help: words === "" ? help : `${help} (defaults to ${words})`,
    ...(value !== undefined && { value }),
  };
}

export const EMULATOR_PAGE: CommandPage = {
  name: "emulator",
  usage: "deployment-control emulator [OPTIONS]",
  about: [
    "Runs a local service that follows the contract. It prints `listening on` with its address, and runs until it, or the npm that runs it, is ended.",
  ],
  rows: Object.fromEntries(Object.entries(optionRows).map(([name, row]) => [kebab(name), flagRow(row)])),
  exitCodes: [
    { code: 0, when: "it was interrupted" },
    { code: 1, when: "an option is bad, or the port or the file cannot be used" },
  ],
};
