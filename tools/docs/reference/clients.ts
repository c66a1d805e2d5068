/** The pages of the clients for scripts. */

import { rangeRows } from "../../../provider/schema/filters";
import {
  connectionRows,
  runtimeRows,
  type Setting,
  type SettingTable,
} from "../../../provider/schema/settings";
import type { Prose } from "../schema/prose";
import { classesIn, exampleUsing, membersOf, proseOf } from "./declarations";
import { initialOf, typeOf } from "./fields";
import { code, page, table, withDefault } from "./markdown";

interface Client {
  readonly name: string;
  readonly file: string;
  readonly rows: SettingTable;
  readonly example: string;
}

type OptionRows = {
  readonly [name: string]: Pick<Setting<unknown>, "kind" | "required" | "default">;
};

const TYPES = "provider/client/resources.ts";

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
    ...typesOf(file, prose),
    "## Errors",
    table(
      ["error", "what it means"],
      classesIn("provider/client/errors.ts").map((error) => [code(error.name), error.prose]),
    ),
  );
}

/** Says where the types in the signatures are declared. The package contains these types, so editors show them. */
function typesOf(file: string, prose: Prose): string[] {
  if (file.endsWith("runtime.ts")) return [`They are declared in ${source(file)}.`];
  return [
    `They are declared in ${source(TYPES)}. The members of nested types are those on [the page of Deployment](deployment.md#sourceconfig).`,
    `\`Listing<T>\`: ${proseOf("provider/client/paging.ts", "Listing")} \`for await\` reads entry by entry; \`await\` gives all entries in an array.`,
    "`Range`: the part of a list to read; its `pageSize` is the maximum number of entries in one page, 1 to 100.",
    optionTable(rangeRows, prose),
  ];
}

const source = (file: string): string => `[${file}](../../${file})`;

function optionTable(rows: OptionRows, prose: Prose): string {
  const lines = requiredFirst(rows).map(([key, row]) => {
    const whole = prose.ofRow(row, key);
    return [code(key), typeOf(row.kind), initialOf(row, whole), withDefault(whole).prose];
  });
  return table(["option", "type", "default", "what it is"], lines);
}

const requiredFirst = (rows: OptionRows): [string, OptionRows[string]][] =>
  Object.entries(rows).sort(
    ([, one], [, other]) => Number(other.required ?? false) - Number(one.required ?? false),
  );
