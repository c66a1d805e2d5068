/** The pages of the clients for scripts. */
import {
  connectionRows,
  runtimeRows,
  type Setting,
  type SettingTable,
} from "../../../provider/fields/settings";
import type { Prose } from "../schema/prose";
import { typeSections } from "./clientTypes";
import { classesIn, exampleUsing, membersOf, proseOf } from "./declarations";
import { initialOf, typeOf } from "./fields";
import { code, page, table, withDefault } from "./markdown";

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
  const methods = membersOf(file, name);
  return page(
    `# ${name}`,
    proseOf(file, name),
    "It needs no Pulumi, and reads no configuration and no environment: all that it knows are its options.",
    "## Example",
    `From [${example}](../../${example}), which the tests run:`,
    `\`\`\`ts\n${exampleUsing(example, `new ${name}(`)}\n\`\`\``,
    "## Options",
    optionTable(rows, prose),
    "## Methods",
    ...methods.map((method) =>
      page(`### ${code(method.name)}`, `\`\`\`text\n${method.signature}\n\`\`\``, method.prose).trim(),
    ),
    "## Types",
    typeSections(methods, prose),
    "## Errors",
    table(
      ["error", "what it means"],
      classesIn("provider/client/errors.ts").map((error) => [code(error.name), error.prose]),
    ),
  );
}

function optionTable(rows: SettingTable, prose: Prose): string {
  const lines = requiredFirst(rows).map(([key, row]) => {
    const whole = prose.ofRow(row, key);
    return [code(key), typeOf(row.kind), initialOf(row, whole), withDefault(whole).prose];
  });
  return table(["option", "type", "default", "what it is"], lines);
}

const requiredFirst = (rows: SettingTable): [string, Setting<unknown>][] =>
  Object.entries(rows).sort(
    ([, one], [, other]) => Number(other.required ?? false) - Number(one.required ?? false),
  );
