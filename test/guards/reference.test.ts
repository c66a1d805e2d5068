/** Checks that the reference matches the tables: each page has exactly the rows of its resource's tables. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { foundRows } from "../../provider/client/resources";
import { served } from "../../provider/plugin";
import type { Kind, Rows } from "../../provider/schema/kind";
import { LOOK_UPS, type LookUp, lookUpRows } from "../../provider/schema/lookups";
import { environmentName, settingName } from "../../provider/schema/naming";
import { CONFIGURATION_KEYS, configurationRows, type SettingTable } from "../../provider/schema/settings";
import { flagText } from "../../sdk/cli/page";
import { behaviourRows } from "../../sdk/emulator/behaviour";
import { pages } from "../../tools/docs/blocks";
import { madeFiles, REFERENCE } from "../../tools/docs/pages";
import { COMMANDS } from "../../tools/docs/reference/commands";
import { fileName } from "../../tools/docs/reference/markdown";
import { type Table, tablesOf } from "../support/classTables";

const ROOT = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const pageOf = (name: string): string => textOf(`${REFERENCE}/${fileName(name)}.md`);

/** Reads the tables between two headings of the page, and returns the names in backquotes from the first cells. */
const namesIn = (page: string, heading: string, next: string): string[] => {
  const [, below = ""] = page.split(`\n## ${heading}\n`);
  const [part = ""] = below.split(`\n${next}`);
  return [...part.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string);
};

/** The names of all rows in the table and in the tables of its objects; a table that occurs twice counts once. */
function namesOf(rows: Rows, seenRows = new Set<Rows>()): string[] {
  if (seenRows.has(rows)) return [];
  seenRows.add(rows);
  const within = (kind: Kind<unknown>): string[] => {
    if (kind.type === "object") return namesOf(kind.rows, seenRows);
    if (kind.type === "keyed") return kind.single ? [] : namesOf(kind.rows, seenRows);
    return kind.type === "list" || kind.type === "map" ? within(kind.of) : [];
  };
  return [...Object.keys(rows), ...Object.values(rows).flatMap(({ kind }) => within(kind))];
}

const generatedFiles = madeFiles();

test.each(Object.keys(generatedFiles))("%s is what `npm run docs` would write", (file) => {
  expect(textOf(file)).toBe(generatedFiles[file]);
});

test("llms.txt has every page of the documentation once, with the page's first sentence", () => {
  const listed = [...textOf("llms.txt").matchAll(/^- \[[^\]]+\]\((docs\/\S+)\): \S.+$/gm)].map(
    ([, page]) => page,
  );
  expect(listed.sort()).toEqual(pages("docs"));
});

test("package.json names the publisher only in the repository's address; its other facts derive from that address", () => {
  const packageFile = JSON.parse(textOf("package.json"));
  const address = packageFile.repository.url.replace(/^git\+(.*)\.git$/, "$1");
  expect(packageFile).toMatchObject({
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
    author: { name: address.split("/").at(-2) },
  });
  expect(address.split("/").at(-1)).toBe(packageFile.name);
});

test("every page of the reference is generated and is in the list of pages", () => {
  const files = readdirSync(path.join(ROOT, REFERENCE)).map((file) => `${REFERENCE}/${file}`);
  expect(files.filter((file) => !(file in generatedFiles))).toEqual([]);
  const list = textOf(`${REFERENCE}/README.md`);
  for (const page of files.filter((file) => !file.endsWith("README.md")))
    expect(list).toContain(`](${path.basename(page)})`);
});

test.each(Object.keys(tablesOf))("the page of %s has exactly its arguments and outputs", (name) => {
  const [args, ...outputs] = tablesOf[name] as [Table, ...Table[]];
  const page = pageOf(name);
  const argumentNames = namesIn(page, "Arguments", "### Arguments and sources");
  const shown = name === "Deployment" ? argumentNames : namesIn(page, "Arguments", "## Outputs");
  expect(shown.sort()).toEqual(namesOf(args.rows).sort());
  const derivedNames = name === "Deployment" ? ["revisionKey"] : [];
  const outputNames = [...outputs.flatMap(({ rows }) => Object.keys(rows)), ...derivedNames];
  expect(namesIn(page, "Outputs", "<!--").sort()).toEqual(outputNames.sort());
});

test("every resource and every look-up has a page with an example and with its type in the plugin", () => {
  for (const name of [...Object.keys(served.resources), ...Object.keys(LOOK_UPS)]) {
    expect(pageOf(name)).toContain("## Example\n");
    expect(pageOf(name)).toContain(`\`deployment-control:index:${name}\``);
  }
});

test.each(Object.keys(LOOK_UPS) as LookUp[])(
  "the page of the look-up %s has its arguments and the fields of its results",
  (name) => {
    expect(namesIn(pageOf(name), "Arguments", "## Each").sort()).toEqual(
      Object.keys(lookUpRows[name]).sort(),
    );
    const entryNames = namesIn(pageOf(name), "Each entry of the answer", "<!--");
    expect(entryNames.sort()).toEqual(namesOf(foundRows[name]).sort());
  },
);

test("the page of the settings has exactly the settings, with their names and defaults", () => {
  const page = pageOf("settings");
  expect([...page.matchAll(/^## `(\w+)`$/gm)].map(([, key]) => key)).toEqual([...CONFIGURATION_KEYS]);
  for (const [key, row] of Object.entries(configurationRows as SettingTable)) {
    const [section = ""] = (page.split(`\n## \`${key}\`\n`)[1] as string).split("\n## ");
    expect(section).toContain(`\`${settingName(key)}\``);
    expect(section).toContain(`\`${environmentName(key)}\``);
    expect(section.includes("| secret |")).toBe(row.secret !== undefined);
    if (row.default !== undefined)
      expect(section).toContain(`| default | \`${JSON.stringify(row.default)}\` |`);
  }
});

test("the page of the settings begins with a table of all settings", () => {
  const [overview = ""] = pageOf("settings").split("\n## ");
  expect([...overview.matchAll(/^\| \[`(\w+)`\]\(#\w+\) \|/gm)].map(([, key]) => key)).toEqual([
    ...CONFIGURATION_KEYS,
  ]);
});

test("every command has a page with all its options and exit codes", () => {
  const commandNames = [...textOf("sdk/cli/main.ts").matchAll(/^ {4}name: "([\w-]+)",$/gm)].map(
    ([, name]) => name,
  );
  expect(COMMANDS.map(({ name }) => name)).toEqual(commandNames);
  for (const { name, rows, exitCodes } of COMMANDS) {
    const page = pageOf(name);
    const flags = [...page.matchAll(/^\| `(--[^`]+)` \|/gm)].map(([, flag]) => flag?.replaceAll("\\|", "|"));
    expect(flags).toEqual(Object.entries(rows).map(([flag, row]) => flagText(flag, row)));
    const codes = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(exitCodes.map(({ code }) => code));
  }
});

test("the page of the embedded service has every option of its behavior", () => {
  const names = namesIn(pageOf("startEmulator"), "Options", "## What");
  expect(names).toEqual(expect.arrayContaining(Object.keys(behaviourRows)));
});
