/** Functions that write pieces of Markdown. */

export const code = (text: string): string => `\`${text}\``;

/** Escapes each character that would end a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** The blocks, with one empty line between two blocks. Undefined blocks are left out. */
export const page = (...blocks: readonly (string | undefined)[]): string =>
  `${blocks.filter((block) => block !== undefined && block !== "").join("\n\n")}\n`;

/** `SmokeTest` -> `smoke-test`, `getDeployments` -> `get-deployments`. */
export const fileName = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

interface WithDefault {
  readonly initial: string;
  /** The prose without its words about the default. */
  readonly prose: string;
}

const DEFAULTS_TO = [
  / \(defaults to (?<initial>[^()]+)\)/,
  /(?:; d|\. D)efaults to (?<initial>(?:[^;.]|\.(?=\S))+?)(?=\.(?: |$)|;|, with)/,
];

/** Splits prose such as `…; defaults to 30.`, for a table in which the default has a separate column. */
export function withDefault(prose: string): WithDefault {
  for (const pattern of DEFAULTS_TO) {
    const initial = pattern.exec(prose)?.groups?.initial;
    if (initial !== undefined) return { initial, prose: prose.replace(pattern, "").trim() };
  }
  return { initial: "", prose };
}

export const memberTable = (members: readonly { readonly name: string; readonly prose: string }[]): string =>
  table(
    ["name", "what it is"],
    members.map(({ name, prose }) => [code(name), prose]),
  );

export const optionTable = (options: readonly { readonly name: string; readonly prose: string }[]): string =>
  table(
    ["option", "default", "what it is"],
    options.map(({ name, prose: whole }) => {
      const { initial, prose } = withDefault(whole);
      return [code(name), initial, prose];
    }),
  );
