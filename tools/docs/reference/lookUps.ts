/** The page of a look-up. */
import { foundRows } from "../../../provider/client/resources";
import { LOOK_UPS, type LookUp, lookUpRows } from "../../../provider/schema/lookups";
import type { Prose } from "../schema/prose";
import { token } from "../schema/types";
import { exampleUsing, proseOf } from "./declarations";
import { FieldTables, initialColumn, newerNotes } from "./fields";
import { code, page } from "./markdown";

export const LOOK_UP_NAMES = Object.keys(LOOK_UPS) as readonly LookUp[];

const EXAMPLE = "examples/scripts/lookUps.ts";

export function lookUpPage(name: LookUp, prose: Prose): string {
  const isRequired = Object.values(lookUpRows[name]).some((row) => "required" in row);
  const args = new FieldTables(prose, "argument", [initialColumn()], newerNotes);
  const fieldTables = new FieldTables(prose, "field", [], newerNotes);
  return page(
    `# ${name}`,
    proseOf("sdk/resources/lookups.ts", name),
    `${code(`${name}(${isRequired ? "args" : "args?"})`)} gives a promise of an array. ${code(`${name}Output`)} takes outputs as arguments and gives ${lowerFirst(proseOf("sdk/resources/lookups.ts", `${name}Output`))} In the plugin it is the function ${code(token(name))}, whose answer has the list under ${code(LOOK_UPS[name])}.`,
    "## Example",
    `From [${EXAMPLE}](../../${EXAMPLE}), which the tests run:`,
    `\`\`\`ts\n${exampleUsing(EXAMPLE, `${name}(`, `${name}Output(`)}\n\`\`\``,
    "## Arguments",
    args.of(lookUpRows[name]),
    "## Each entry of the answer",
    "A field that the service leaves out is missing here too.",
    fieldTables.of(foundRows[name]),
  );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
