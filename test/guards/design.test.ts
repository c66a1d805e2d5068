/** Checks that the page about the design names only folders and files that exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");
const page = readFileSync(join(ROOT, "docs/guides/design.md"), "utf8");
const exists = (...places: readonly string[]): boolean => existsSync(join(ROOT, ...places));

const sectionOf = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] as string;

/** The paths in a section that begin with the name of a top folder. */
const placesIn = (text: string): string[] => text.match(/\b(?:provider|sdk|test|tools)\/[\w./-]*\w/g) ?? [];

test.each(["The road", "Three decisions"])("each path in the section `%s` exists", (title) => {
  const places = placesIn(sectionOf(title));
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((place) => !exists(place))).toEqual([]);
});

test("each folder and file in the table `Where things are` exists, either at the root or in the first folder of its row", () => {
  const lines = [...sectionOf("Where things are").matchAll(/^\| (`.*`) \| (.*) \|$/gm)];
  expect(lines.length).toBeGreaterThan(20);
  const missing = lines.flatMap(([line, names = ""]) => {
    const [first = "", ...others] = [...(isTop(names) ? line : names).matchAll(/`([^`]+)`/g)].map(
      ([, name]) => name as string,
    );
    const top = first.split("/")[0] as string;
    return [first, ...others].filter((name) => !exists(name) && !exists(top, name));
  });
  expect(missing).toEqual([]);
});

/** Whether a row is about a whole top folder. The text of the row then names the subfolders. */
const isTop = (names: string): boolean => /^`\w+`$/.test(names);
