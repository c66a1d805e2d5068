/** `deployment-control emulator`: one flag for each option of `startEmulator`, derived from the same rows. */
import { parseArgs } from "node:util";
import { ARGUMENTS, issuesIn, schemaOf } from "../../provider/fields/check";
import { allowed, boolean, choice, type Kind, listOf, nonEmptyText } from "../../provider/fields/kind";
import { PROFILES } from "../../provider/profiles/profiles";
import { behaviourRows, type EmulatorOptions } from "../emulator/behaviour";
import { startEmulator } from "../emulator/index";
import { type CommandPage, type FlagRow, helpOf } from "./page";

type CommandOptions = Omit<EmulatorOptions, "log"> & { readonly log?: boolean };

/** Runs the embedded service until it is interrupted. */
export async function runEmulator(args: readonly string[]): Promise<void> {
  const options = optionsIn(args);
  if (options === undefined) return;
  const interruption = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
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

interface Flag {
  /** The flag's name in the options of `startEmulator`. */
  readonly option: string;
  readonly kind: Kind<unknown>;
  readonly help: string;
  readonly initial: unknown;
  /** The placeholder for the flag's value in the help; if undefined, the placeholder follows from `kind`. */
  readonly word?: string;
}

const startRows: Readonly<Record<string, Omit<Flag, "option">>> = {
  port: {
    kind: { type: "integer", minimum: 0, maximum: 65535 },
    initial: 0,
    help: "port to listen on; 0: a free one",
  },
  host: { kind: nonEmptyText, initial: "127.0.0.1", help: "address to listen on" },
  data: {
    kind: nonEmptyText,
    initial: undefined,
    help: "file in which the state is kept",
    word: "FILE",
  },
  listeners: {
    kind: listOf(nonEmptyText),
    initial: [],
    help: "compute ids of listeners to install, with commas between them",
  },
  profile: { kind: choice(...Object.keys(PROFILES)), initial: "contract", help: "which service to be" },
  log: {
    kind: boolean,
    initial: false,
    help: "a line on standard error for each request: method, path, status, milliseconds; no query, header or body",
  },
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flags: ReadonlyMap<string, Flag> = new Map(
  Object.entries<Omit<Flag, "option">>({ ...startRows, ...behaviourRows }).map(([option, row]) => [
    kebab(option),
    { ...row, option },
  ]),
);

const isSwitch = ({ kind }: Flag): boolean => kind.type === "boolean";

/** Reads the options; undefined if `--help` is given. Throws an Error that says what is wrong and what is allowed. */
function optionsIn(args: readonly string[]): CommandOptions | undefined {
  const flagTypes = Object.fromEntries(
    [...flags].map(([name, flag]) => [name, { type: isSwitch(flag) ? "boolean" : "string" } as const]),
  );
  const { tokens } = parseArgs({ args: [...args], options: flagTypes, strict: false, tokens: true });
  const settings: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind === "positional") throw new Error(`unexpected argument ${token.value}; ${seeHelp}`);
    if (token.kind !== "option") continue;
    if (token.name === "help" || token.name === "h") {
      process.stdout.write(helpOf(EMULATOR_PAGE));
      return undefined;
    }
    const [name, value] = readFlag(token);
    settings[name] = value;
  }
  return settings as CommandOptions;
}

const seeHelp = "see deployment-control emulator --help";

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

function readFlag(token: Extract<Token, { kind: "option" }>): [name: string, value: unknown] {
  const { name, rawName, value, inlineValue } = token;
  const negated = name.startsWith("no-") ? flags.get(name.slice(3)) : undefined;
  const flag = flags.get(name) ?? (negated && isSwitch(negated) ? negated : undefined);
  if (!flag) throw new Error(`unknown option ${rawName}; there are ${allFlags()}`);
  if (isSwitch(flag)) {
    if (inlineValue)
      throw new Error(`${rawName} takes no value: --${kebab(flag.option)} or --no-${kebab(flag.option)}`);
    return [flag.option, flag !== negated];
  }
  const isMissing = value === undefined || (!inlineValue && value.startsWith("--"));
  if (isMissing) throw new Error(`${rawName} needs a value: ${allowedText(flag.kind)}`);
  const setting = readText(flag.kind, value);
  if (issuesIn(schemaOf(flag.kind, ARGUMENTS), setting).length === 0) return [flag.option, setting];
  throw new Error(`${rawName} must be ${allowedText(flag.kind)}, not ${JSON.stringify(value)}`);
}

const isNumber = ({ type }: Kind<unknown>): boolean => type === "integer" || type === "number";

function readText(kind: Kind<unknown>, text: string): unknown {
  if (kind.type === "list") return text.split(",");
  if (!isNumber(kind)) return text;
  return text.trim() === "" ? Number.NaN : Number(text);
}

function allowedText(kind: Kind<unknown>): string {
  if (kind.type === "choice") return kind.values.join(" or ");
  return kind.type === "list" ? "values separated by commas" : allowed(kind);
}

const allFlags = (): string =>
  [...flags].map(([name, flag]) => (isSwitch(flag) ? `--[no-]${name}` : `--${name}`)).join(", ");

function initialText(initial: unknown): string | undefined {
  if (initial === undefined || (Array.isArray(initial) && initial.length === 0)) return undefined;
  return typeof initial === "boolean" ? (initial ? "on" : "off") : String(initial);
}

/** The flag as the help shows it. */
function helpRow([name, { kind, help, initial, word }]: [string, Flag]): [string, FlagRow] {
  const text = initialText(initial);
  const row = { help, ...(text !== undefined && { initial: text }) };
  if (kind.type === "boolean") return [`[no-]${name}`, row];
  const value = word ?? (isNumber(kind) ? "N" : kind.type === "list" ? "A,B,…" : "TEXT");
  return [name, { ...row, value: kind.type === "choice" ? kind.values.join("|") : value }];
}

export const EMULATOR_PAGE: CommandPage = {
  name: "emulator",
  usage: "deployment-control emulator [OPTIONS]",
  about: [
    "Runs a local service that follows the contract. It prints `listening on` with its address, and runs until it is interrupted.",
  ],
  rows: Object.fromEntries([...flags].map(helpRow)),
  exitCodes: [
    { code: 0, when: "it was interrupted" },
    { code: 1, when: "an option is bad, or the port or the file cannot be used" },
  ],
};
