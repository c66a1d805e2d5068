/** `deployment-control emulator`: a flag for each option of `startEmulator`, derived from the same rows. */
import { parseArgs } from "node:util";
import { ARGUMENTS, issuesIn, schemaOf } from "../../provider/fields/check";
import { allowed, choice, type Kind, listOf, nonEmptyText } from "../../provider/fields/kind";
import { PROFILES } from "../../provider/profiles/profiles";
import { behaviourRows, type EmulatorOptions } from "../emulator/behaviour";
import { startEmulator } from "../emulator/index";
import { type CommandPage, helpOf, type ShownOption } from "./page";

/** Runs the embedded service until it is interrupted. */
export async function runEmulator(args: readonly string[]): Promise<void> {
  const options = optionsIn(args);
  if (options === "help") {
    process.stdout.write(helpOf(EMULATOR_PAGE));
    return;
  }
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const emulator = await startEmulator(options);
  process.stdout.write(`listening on ${emulator.url}\n`);
  await interrupted;
  await emulator.close();
}

interface Flag {
  /** Name of the option of `startEmulator`. */
  readonly option: string;
  readonly kind: Kind<unknown>;
  readonly help: string;
  readonly initial: unknown;
  /** What the help calls its value, where the kind does not tell. */
  readonly word?: string;
}

const placeRows: Readonly<Record<string, Omit<Flag, "option">>> = {
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
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flags: ReadonlyMap<string, Flag> = new Map(
  Object.entries<Omit<Flag, "option">>({ ...placeRows, ...behaviourRows }).map(([option, row]) => [
    kebab(option),
    { ...row, option },
  ]),
);

const isSwitch = ({ kind }: Flag): boolean => kind.type === "boolean";

/** The options that the command line gives. Throws an Error that names what is wrong and what is allowed. */
function optionsIn(args: readonly string[]): EmulatorOptions | "help" {
  const options = Object.fromEntries(
    [...flags].map(([name, flag]) => [name, { type: isSwitch(flag) ? "boolean" : "string" } as const]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind === "positional") throw new Error(`unexpected argument ${token.value}; ${seeHelp}`);
    if (token.kind !== "option") continue;
    if (token.name === "help" || token.name === "h") return "help";
    const [name, value] = readFlag(token);
    given[name] = value;
  }
  return given as EmulatorOptions;
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
  if (isMissing) throw new Error(`${rawName} needs a value: ${wanted(flag.kind)}`);
  const read = readText(flag.kind, value);
  if (issuesIn(schemaOf(flag.kind, ARGUMENTS), read).length === 0) return [flag.option, read];
  throw new Error(`${rawName} must be ${wanted(flag.kind)}, not ${JSON.stringify(value)}`);
}

const isNumber = ({ type }: Kind<unknown>): boolean => type === "integer" || type === "number";

function readText(kind: Kind<unknown>, text: string): unknown {
  if (kind.type === "list") return text.split(",");
  if (!isNumber(kind)) return text;
  return text.trim() === "" ? Number.NaN : Number(text);
}

function wanted(kind: Kind<unknown>): string {
  if (kind.type === "choice") return kind.values.join(" or ");
  return kind.type === "list" ? "values separated by commas" : allowed(kind);
}

function shownFlag(name: string, flag: Flag): string {
  const { kind } = flag;
  if (isSwitch(flag)) return `--[no-]${name}`;
  if (kind.type === "choice") return `--${name} ${kind.values.join("|")}`;
  if (flag.word !== undefined) return `--${name} ${flag.word}`;
  return `--${name} ${isNumber(kind) ? "N" : kind.type === "list" ? "A,B,…" : "TEXT"}`;
}

const allFlags = (): string =>
  [...flags].map(([name, flag]) => (isSwitch(flag) ? `--[no-]${name}` : `--${name}`)).join(", ");

function shownInitial(initial: unknown): string | undefined {
  if (initial === undefined || (Array.isArray(initial) && initial.length === 0)) return undefined;
  return typeof initial === "boolean" ? (initial ? "on" : "off") : String(initial);
}

const shownOption = (name: string, flag: Flag): ShownOption => {
  const initial = shownInitial(flag.initial);
  return { flag: shownFlag(name, flag), help: flag.help, ...(initial !== undefined && { initial }) };
};

export const EMULATOR_PAGE: CommandPage = {
  name: "emulator",
  usage: "deployment-control emulator [OPTIONS]",
  about: [
    "Runs a service that speaks the contract. It prints `listening on` with its address, and runs until it is interrupted.",
  ],
  options: [...flags].map(([name, flag]) => shownOption(name, flag)),
  exitCodes: [
    { code: 0, when: "it was interrupted" },
    { code: 1, when: "an option is bad, or the port or the file cannot be used" },
  ],
};
