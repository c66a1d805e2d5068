/** `deployment-control emulator`: a flag for each option of `startEmulator`, derived from the same rows. */
import { parseArgs } from "node:util";
import { z } from "zod";
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
  readonly schema: z.ZodType;
  readonly help: string;
  readonly initial: unknown;
  /** What the help calls its value, where the schema does not tell. */
  readonly word?: string;
}

const placeRows: Readonly<Record<string, Omit<Flag, "option">>> = {
  port: { schema: z.int().min(0).max(65535), initial: 0, help: "port to listen on; 0: a free one" },
  host: { schema: z.string().min(1), initial: "127.0.0.1", help: "address to listen on" },
  data: {
    schema: z.string().min(1),
    initial: undefined,
    help: "file in which the state is kept",
    word: "FILE",
  },
  listeners: {
    schema: z.array(z.string().min(1)),
    initial: [],
    help: "compute ids of listeners to install, with commas between them",
  },
  profile: { schema: z.enum(Object.keys(PROFILES)), initial: "contract", help: "which service to be" },
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const flags: ReadonlyMap<string, Flag> = new Map(
  Object.entries({ ...placeRows, ...behaviourRows }).map(([option, row]) => [
    kebab(option),
    { option, ...row, schema: required(row.schema as z.ZodType) },
  ]),
);

function required(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
}

const isSwitch = ({ schema }: Flag): boolean => schema instanceof z.ZodBoolean;

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
  if (isMissing) throw new Error(`${rawName} needs a value: ${wanted(flag.schema)}`);
  const read = readText(flag.schema, value);
  if (flag.schema.safeParse(read).success) return [flag.option, read];
  throw new Error(`${rawName} must be ${wanted(flag.schema)}, not ${JSON.stringify(value)}`);
}

function readText(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodArray) return text.split(",");
  if (!(schema instanceof z.ZodNumber)) return text;
  return text.trim() === "" ? Number.NaN : Number(text);
}

function wanted(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.join(" or ");
  if (schema instanceof z.ZodArray) return "values separated by commas";
  if (!(schema instanceof z.ZodNumber)) return "a text that is not empty";
  const { minValue, maxValue } = schema;
  const most = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? ` and at most ${maxValue}` : "";
  return `${schema.isInt ? "an integer" : "a number"} of at least ${minValue}${most}`;
}

function shownFlag(name: string, { schema, ...flag }: Flag): string {
  if (isSwitch({ schema, ...flag })) return `--[no-]${name}`;
  if (schema instanceof z.ZodEnum) return `--${name} ${schema.options.join("|")}`;
  if (flag.word !== undefined) return `--${name} ${flag.word}`;
  return `--${name} ${schema instanceof z.ZodNumber ? "N" : schema instanceof z.ZodArray ? "A,B,…" : "TEXT"}`;
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
