/** The commands' flags: how they are read, and one table for both `--help` and the reference page. */
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Parses the arguments of that command. Throws an Error that points to its help. */
export function parsedFlags<const C extends ParseArgsConfig>(command: string, config: C) {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = (error as Error).message.split(". ")[0];
    throw new Error(`${message}; see deployment-control ${command} --help`);
  }
}

export function commaSeparated(values: readonly string[] | undefined): string[] {
  const parts = (values ?? []).flatMap((value) => value.split(","));
  return parts.map((part) => part.trim()).filter((value) => value !== "");
}

export function oneOf<const V extends string>(option: string, value: string, choices: readonly V[]): V {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new Error(`${option}: got ${JSON.stringify(value)}; allowed: ${choices.join(", ")}`);
}

/** An option of a command, as the help shows it. */
export interface OptionHelp {
  /** With a placeholder for its value, such as `--out FILE`. */
  readonly flag: string;
  readonly help: string;
  /** The default, if that is a value. */
  readonly initial?: string;
}

/** The option of commands that read the stack of a project. */
export const STACK_OPTION: OptionHelp = {
  flag: "--stack NAME",
  help: "the stack of the project in this folder; the selected one unless given",
};

export interface ExitCode {
  readonly code: number;
  readonly when: string;
}

export interface CommandPage {
  readonly name: string;
  /** The command line. */
  readonly usage: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly options: readonly OptionHelp[];
  readonly exitCodes: readonly ExitCode[];
}

const WIDTH = 110;

export function helpOf({ usage, about, options, exitCodes }: CommandPage): string {
  const rows = [
    ...options.map((option): [string, string] => [option.flag, helpWithInitial(option)]),
    ["--help", "this text"] as [string, string],
  ];
  const lines = [
    `usage: ${usage}`,
    "",
    ...about.flatMap((paragraph) => [...wrap(paragraph, WIDTH), ""]),
    ...columns(rows),
    "",
    "exit codes:",
    ...columns(exitCodes.map(({ code, when }) => [String(code), when])),
    "",
  ];
  return lines.join("\n");
}

const helpWithInitial = ({ help, initial }: OptionHelp): string =>
  initial === undefined ? help : `${help} (${initial} unless given)`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.flatMap(([flag, help]) =>
    wrap(help, WIDTH - first - 2).map((line, index) => `  ${(index === 0 ? flag : "").padEnd(first)}${line}`),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
