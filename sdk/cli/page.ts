/** Reads the commands' flags; one table of flags serves the parser, `--help` and the reference page. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { wrap } from "../report/show/terminal";

/** One flag: the value that it takes, and its line in the help. */
export interface FlagRow {
  /** The placeholder for the flag's value; undefined for a switch. */
  readonly value?: string;
  /** Whether the flag may be given several times. */
  readonly multiple?: true;
  readonly help: string;
  /** The flag's default value; undefined if the flag has none. */
  readonly initial?: string;
}

export type FlagRows = { readonly [name: string]: FlagRow };

type ValueOf<R extends FlagRow> = R extends { readonly value: string }
  ? R extends { readonly multiple: true }
    ? string[]
    : string
  : boolean;

/** The values by flag; undefined for a flag that is not given and has no default. */
export type Flags<R extends FlagRows> = {
  readonly [N in keyof R]: R[N] extends { readonly initial: string } ? string : ValueOf<R[N]> | undefined;
};

/**
 * The flags' values and the other arguments. For `--help`, prints the help and returns undefined. Throws an Error that
 * points to the help.
 */
export function flagsIn<P extends CommandPage>(page: P, args: readonly string[], allowPositionals = false) {
  const help = { type: "boolean", short: "h" } as const;
  const options = { ...parserOptions(page.rows), help };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals });
    if (values.help !== true) return { values: values as Flags<P["rows"]>, positionals };
  } catch (error) {
    const message = (error as Error).message.split(". ")[0];
    throw new Error(`${message}; see deployment-control ${page.name} --help`);
  }
  process.stdout.write(helpOf(page));
  return undefined;
}

const parserOptions = (rows: FlagRows): NonNullable<ParseArgsConfig["options"]> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { value, multiple = false, initial }]) => [
      name,
      {
        type: value === undefined ? "boolean" : "string",
        multiple,
        ...(initial !== undefined && { default: initial }),
      } as const,
    ]),
  );

/** The flag as the help shows it, such as `--out FILE`. */
export const flagText = (name: string, { value }: FlagRow): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

export function commaSeparated(values: readonly string[] | undefined): string[] {
  const parts = (values ?? []).flatMap((value) => value.split(","));
  return parts.map((part) => part.trim()).filter((value) => value !== "");
}

export function oneOf<const V extends string>(option: string, value: string, choices: readonly V[]): V {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new Error(`${option}: got ${JSON.stringify(value)}; allowed: ${choices.join(", ")}`);
}

/** Returns the table's entry named `name`, which is the option's value. Throws an Error if there is no such entry. */
export const entryOf = <T>(option: string, name: string, table: Readonly<Record<string, T>>): T =>
  table[oneOf(option, name, Object.keys(table))] as T;

/** The flags of commands that read the stack of a project. */
export const stackRow = {
  value: "NAME",
  help: "the stack of the project in this folder; the selected one unless given",
} as const;
export const connectionRow = {
  value: "NAME",
  help: "which of the configured connections; the default one unless given",
} as const;

export interface CommandPage {
  readonly name: string;
  /** The command line, with placeholders. */
  readonly usage: string;
  /** The paragraphs about the command. */
  readonly about: readonly string[];
  readonly rows: FlagRows;
  readonly exitCodes: readonly { readonly code: number; readonly when: string }[];
}

const WIDTH = 110;

export function helpOf({ usage, about, rows, exitCodes }: CommandPage): string {
  const flags = Object.entries(rows).map(
    ([name, row]) => [flagText(name, row), helpWithInitial(row)] as const,
  );
  const lines = [
    `usage: ${usage}`,
    "",
    ...about.flatMap((paragraph) => [...wrap(paragraph, WIDTH, ""), ""]),
    ...columns([...flags, ["--help", "this text"]]),
    "",
    "exit codes:",
    ...columns(exitCodes.map(({ code, when }) => [String(code), when])),
    "",
  ];
  return lines.join("\n");
}

const helpWithInitial = ({ help, initial }: FlagRow): string =>
  initial === undefined ? help : `${help} (${initial} unless given)`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const flagWidth = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.flatMap(([flag, help]) =>
    wrap(help, WIDTH - flagWidth - 2, "").map(
      (line, index) => `  ${(index === 0 ? flag : "").padEnd(flagWidth)}${line}`,
    ),
  );
}
