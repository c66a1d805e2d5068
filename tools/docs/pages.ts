/** Every file that `npm run docs` writes, with its contents. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { RESOURCES } from "../../provider/resources";
import { classTable } from "./classTable";
import { llmsText } from "./llms";
import { manifestText } from "./publisher";
import { ciPage } from "./reference/ci";
import { CLIENTS, clientPage } from "./reference/clients";
import { COMMANDS, commandPage } from "./reference/commands";
import { embeddedPage } from "./reference/embedded";
import { LOOK_UP_NAMES, lookUpPage } from "./reference/lookUps";
import { fileName, table } from "./reference/markdown";
import { mocksPage } from "./reference/mocks";
import { resourcePage } from "./reference/resources";
import { settingsPage } from "./reference/settings";
import { reportSchemaText } from "./reportSchema";
import { schemaText } from "./schema/package";
import { type Prose, readProse } from "./schema/prose";

const ROOT = path.join(__dirname, "..", "..");
export const REFERENCE = "docs/reference";

/** The text above this line is generated anew each time. The text below this line is written by hand and stays. */
export const BY_HAND = "<!-- Above: made by `npm run docs` from the tables of fields. Below: by hand. -->";

/** The generated pages of the reference, by file name. */
function referencePages(prose: Prose): { readonly [file: string]: string } {
  return {
    ...Object.fromEntries(
      Object.entries(RESOURCES).map(([name, resource]) => [
        `${fileName(name)}.md`,
        resourcePage(name, resource, prose),
      ]),
    ),
    ...Object.fromEntries(LOOK_UP_NAMES.map((name) => [`${fileName(name)}.md`, lookUpPage(name, prose)])),
    ...Object.fromEntries(
      CLIENTS.map((client) => [`${fileName(client.name)}.md`, clientPage(client, prose)]),
    ),
    ...Object.fromEntries(COMMANDS.map((command) => [`${command.name}.md`, commandPage(command)])),
    "settings.md": settingsPage(prose),
    "ci.md": ciPage(),
    "start-emulator.md": embeddedPage(),
    "mocks.md": mocksPage(),
    "changes.md": `# What a change does\n\nThis table is made from the one that the code itself reads. It has a column for each profile.\n\n${classTable()}\n`,
  };
}

/** The contents of all generated files, by path from the root. */
export function madeFiles(): { readonly [file: string]: string } {
  const prose = readProse();
  const reference = Object.entries(referencePages(prose)).map(([file, made]) => {
    const place = `${REFERENCE}/${file}`;
    return [place, `${made}\n${BY_HAND}\n${byHand(place)}`];
  });
  const pages = {
    "README.md": withTable("README.md", classTable()),
    [`${REFERENCE}/README.md`]: withTable(`${REFERENCE}/README.md`, resourceTable(prose)),
    ...Object.fromEntries(reference),
  };
  return {
    "package.json": manifestText(),
    "provider/schema.json": schemaText(prose),
    "sdk/report/report.schema.json": reportSchemaText(),
    ...pages,
    "llms.txt": llmsText(pages),
  };
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

function byHand(file: string): string {
  if (!existsSync(path.join(ROOT, file))) return "";
  const [, below] = read(file).split(`${BY_HAND}\n`);
  if (below === undefined) throw new Error(`${file} has no line ${BY_HAND}`);
  return below;
}

/** A table of the resources: a link to each resource's page, and the first sentence above its class. */
function resourceTable(prose: Prose): string {
  const rows = Object.keys(RESOURCES).map((name) => {
    const [sentence] = prose.ofExport(name).split(/(?<=\.)\s/) as [string];
    return [`[${name}](${fileName(name)}.md)`, sentence.slice(0, -1)];
  });
  return table(["resource", "what it is"], rows);
}

/** Replaces the file's table that has the same head row. */
function withTable(file: string, table: string): string {
  const text = read(file);
  const [head] = table.split("\n") as [string];
  const start = text.indexOf(head);
  if (start === -1) throw new Error(`${file} has no line ${head}`);
  return text.slice(0, start) + table + text.slice(text.indexOf("\n\n", start));
}
