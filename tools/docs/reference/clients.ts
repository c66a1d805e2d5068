/** The pages of the clients for scripts. */
import {
  connectionRows,
  runtimeRows,
  type Setting,
  type SettingTable,
} from "../../../provider/fields/settings";
import type { Prose } from "../schema/prose";
import { classesIn, membersOf, proseOf, statementUsing } from "./declarations";
import { typeOf } from "./fields";
import { code, page, table } from "./markdown";

interface Client {
  readonly name: string;
  readonly file: string;
  readonly rows: SettingTable;
  readonly example: string;
}

const taken = (client: string): SettingTable =>
  Object.fromEntries(
    Object.entries(connectionRows as SettingTable).filter(([, { clients }]) =>
      ["both", client].includes(clients),
    ),
  );

export const CLIENTS: readonly Client[] = [
  {
    name: "ControlClient",
    file: "provider/client/control.ts",
    rows: taken("control"),
    example: "examples/scripts/control.ts",
  },
  {
    name: "RuntimeClient",
    file: "provider/client/runtime.ts",
    rows: runtimeRows,
    example: "examples/scripts/runtime.ts",
  },
];

export function clientPage({ name, file, rows, example }: Client, prose: Prose): string {
  return page(
    `# ${name}`,
    proseOf(file, name),
    "It needs no Pulumi, and reads no configuration and no environment: all that it knows are its options.",
    "## Example",
    `Of [${example}](../../${example}), which the tests run:`,
    `\`\`\`ts\n${statementUsing(example, `new ${name}(`)}\n\`\`\``,
    "## Options",
    optionTable(rows, prose),
    "## Methods",
    ...membersOf(file, name).map((method) =>
      page(`### ${code(method.name)}`, `\`\`\`text\n${method.signature}\n\`\`\``, method.prose).trim(),
    ),
    "## Errors",
    table(
      ["error", "what it means"],
      classesIn("provider/client/errors.ts").map((error) => [code(error.name), error.prose]),
    ),
  );
}

function optionTable(rows: SettingTable, prose: Prose): string {
  const lines = Object.entries(rows).map(([key, row]: [string, Setting<unknown>]) => [
    code(key),
    typeOf(row.kind),
    row.required
      ? "**required**"
      : row.default === undefined
        ? "optional"
        : `${code(JSON.stringify(row.default))} unless given`,
    prose.ofRow(row, key),
  ]);
  return table(["option", "type", "given", "what it is"], lines);
}
