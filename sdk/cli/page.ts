/** What a command's `--help` and its page of the reference say: both are made of one table. */

/** An option of a command, as its reader sees it. */
export interface ShownOption {
  /** With what stands for its value, such as `--out FILE`. */
  readonly flag: string;
  readonly help: string;
  /** What counts where it is not given, where that is a value. */
  readonly initial?: string;
}

export interface ExitCode {
  readonly code: number;
  readonly when: string;
}

export interface CommandPage {
  readonly name: string;
  /** The line that is typed. */
  readonly usage: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly options: readonly ShownOption[];
  readonly exitCodes: readonly ExitCode[];
}

const WIDTH = 110;

/** The text of `--help`. */
export function helpOf({ usage, about, options, exitCodes }: CommandPage): string {
  const rows = [
    ...options.map((option): [string, string] => [option.flag, helpWithInitial(option)]),
    ["--help", "this text"] as [string, string],
  ];
  const lines = [
    `usage: ${usage}`,
    "",
    ...about.flatMap((paragraph) => [...wrapped(paragraph, WIDTH), ""]),
    ...columns(rows),
    "",
    "exit codes:",
    ...columns(exitCodes.map(({ code, when }) => [String(code), when])),
    "",
  ];
  return lines.join("\n");
}

const helpWithInitial = ({ help, initial }: ShownOption): string =>
  initial === undefined ? help : `${help} (${initial} unless given)`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const first = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.flatMap(([left, right]) =>
    wrapped(right, WIDTH - first - 2).map(
      (line, index) => `  ${(index === 0 ? left : "").padEnd(first)}${line}`,
    ),
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
