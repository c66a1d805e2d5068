/** Checks that the reference matches the tables: each page has exactly the rows of its resource's tables. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pages } from "../../tools/docs/blocks";
import { madeFiles, REFERENCE } from "../../tools/docs/pages";

const ROOT = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const generatedFiles = madeFiles();

test.each(Object.keys(generatedFiles))("%s has the text that `npm run docs` writes", (file) => {
  expect(textOf(file)).toBe(generatedFiles[file]);
});

test("llms.txt has every page of the documentation once, with the page's first sentence", () => {
  const listed = [...textOf("llms.txt").matchAll(/^- \[[^\]]+\]\((docs\/\S+)\): \S.+$/gm)].map(
    ([, page]) => page,
  );
  expect(listed.sort()).toEqual(pages("docs"));
});

test("every page of the reference is generated and is in the list of pages", () => {
  const files = readdirSync(path.join(ROOT, REFERENCE)).map((file) => `${REFERENCE}/${file}`);
  expect(files.filter((file) => !(file in generatedFiles))).toEqual([]);
  const list = textOf(`${REFERENCE}/README.md`);
  for (const page of files.filter((file) => !file.endsWith("README.md")))
    expect(list).toContain(`](${path.basename(page)})`);
});
