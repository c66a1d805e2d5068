/** Reads the commands' flags. One table of flags serves the parser, `--help` and the reference page. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { ARGUMENTS, issuesIn, schemaOf } from "../../provider/schema/check";
import { boolean, type Kind, text } from "../../provider/schema/kind";
import { valueOfText } from "../../provider/schema/value";

/** One flag: the value that it takes, and its line in the help. */
export interface FlagRow {
  /** The kind of the flag's value. By default, a flag with a placeholder takes a string. Any other flag is a switch. */
  readonly kind?: Kind<unknown>;
  /** The placeholder for the flag's value. The default follows from `kind`. */
  readonly value?: string;
  /** Whether a string flag can be repeated. A list flag can always be repeated. */
  readonly multiple?: true;
  /** Whether `--no-NAME` turns the switch off. */
  readonly negatable?: boolean;
  readonly help: string;
  readonly initial?: string;
}

export type FlagRows = { readonly [name: string]: FlagRow };

type ValueOf<R extends FlagRow> = R extends { readonly kind: Kind<infer T> }
  ? T
  : R extends { readonly value: string }
    ? R extends { readonly multiple: true }
      ? string[]
      : string
    : boolean;

/** The values by flag; undefined for a flag with no value and no default. */
export type Flags<R extends FlagRows> = {
  readonly [N in keyof R]: R[N] extends { readonly initial: string }
    ? ValueOf<R[N]>
    : ValueOf<R[N]> | undefined;
};

/** For `--help`, prints the help and returns undefined. For a bad flag, throws an Error that says what is allowed. */
export function flagsIn<P extends CommandPage>(page: P, args: readonly string[], allowPositionals = false) {
  const { values: texts, positionals } = parsed(page, args, allowPositionals);
  if (texts.help === true) {
    process.stdout.write(helpOf(page));
    return undefined;
  }
  const values = Object.entries(texts).map(([name, words]) => [name, flagValue(name, page, words)]);
  return { values: Object.fromEntries(values) as Flags<P["rows"]>, positionals };
}

function parsed({ name, rows }: CommandPage, args: readonly string[], allowPositionals: boolean) {
  const help = { type: "boolean", short: "h" } as const;
  const options = { ...parserOptions(rows), help };
  const allowNegative = Object.values(rows).some(({ negatable }) => negatable);
  try {
    return parseArgs({ args: [...args], options, allowPositionals, allowNegative });
  } catch (error) {
    const message = (error as Error).message.split(". ")[0];
    throw new Error(`${message}; see deployment-control ${name} --help`);
  }
}

const parserOptions = (rows: FlagRows): NonNullable<ParseArgsConfig["options"]> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      {
        type: kindOf(row).type === "boolean" ? "boolean" : "string",
        multiple: row.multiple ?? kindOf(row).type === "list",
        ...(row.initial !== undefined && { default: row.initial }),
      } as const,
    ]),
  );

const kindOf = ({ kind, value }: FlagRow): Kind<unknown> => kind ?? (value === undefined ? boolean : text);

function flagValue(name: string, { rows }: CommandPage, words: unknown): unknown {
  const row = rows[name] as FlagRow;
  const kind = kindOf(row);
  if (row.multiple || typeof words === "boolean") return words;
  const value =
    kind.type === "list" ? entriesIn(kind.of, words as string[]) : valueOfText(kind, String(words));
  return checked(`--${name}`, kind, value);
}

const entriesIn = (kind: Kind<unknown>, lists: readonly string[]): unknown[] =>
  lists
    .flatMap((list) => list.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => valueOfText(kind, entry));

/** Throws an Error for a value that is not allowed. The message names the place and says what is allowed. */
export function checked<T>(place: string, kind: Kind<T>, value: unknown): T {
  const [issue] = issuesIn(schemaOf(kind, ARGUMENTS), value);
  if (issue === undefined) return value as T;
  throw new Error(`${place}: got ${JSON.stringify(issue.input)}; allowed: ${issue.message}`);
}

/** The flag as the help shows it, such as `--out FILE`. */
export function flagText(name: string, row: FlagRow): string {
  const placeholder = row.value ?? placeholderOf(kindOf(row));
  return `--${row.negatable ? "[no-]" : ""}${name}${placeholder === "" ? "" : ` ${placeholder}`}`;
}

function placeholderOf(kind: Kind<unknown>): string {
  if (kind.type === "boolean") return "";
  if (kind.type === "choice") return kind.values.join("|");
  if (kind.type === "list") return "A,B,…";
  return kind.type === "integer" || kind.type === "number" ? "N" : "TEXT";
}

/** The flags of commands that read a project's stack. */
export const stackRow = {
  value: "NAME",
  help: "the stack of the project in this folder; defaults to the selected one",
} as const;
export const connectionRow = {
  value: "NAME",
  help: "which of the configured connections; defaults to the unnamed one",
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
    ...about.flatMap((paragraph) => [...wrap(paragraph, WIDTH), ""]),
    ...columns([...flags, ["--help", "this text"]]),
    "",
    "exit codes:",
    ...columns(exitCodes.map(({ code, when }) => [String(code), when])),
    "",
  ];
  return lines.join("\n");
}

const helpWithInitial = ({ help, initial }: FlagRow): string =>
  initial === undefined ? help : `${help} (defaults to ${initial})`;

function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.pop();
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length > most) lines.push(last, word);
    else lines.push(`${last} ${word}`);
  }
  return lines;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const flagWidth = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.flatMap(([flag, help]) =>
    wrap(help, WIDTH - flagWidth - 2).map(
      (line, index) => `  ${(index === 0 ? flag : "").padEnd(flagWidth)}${line}`,
    ),
  );
}
