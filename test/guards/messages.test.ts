/** The messages that the reference explains are messages of the provider. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pages, pageText } from "../../tools/docs/blocks";
import { files } from "./imports";

const ROOT = path.join(__dirname, "..", "..");

/** The product's source files, without the marks that enclose values in TypeScript's templates. */
const source = [...files.keys()]
  .map((file) => readFileSync(path.join(ROOT, file), "utf8").replace(/["'`]\s*\+\s*["'`]/g, ""))
  .join("\n")
  .replace(/\\"/g, '"');

/** The first cells of the tables of messages, without messages of Pulumi's SDK. */
const explained = pages()
  .filter((page) => page.startsWith("docs/reference/"))
  .flatMap((page) => [
    ...pageText(page).matchAll(/\| message \| what to do \|\n\|---\|---\|\n((?:\|.*\n)+)/g),
  ])
  .flatMap(([, rows]) => (rows as string).trim().split("\n"))
  .map((row) => (row.split(" | ")[0] as string).replace(/^\| /, ""))
  .filter((message) => !message.startsWith("an error that your program threw"));

/** Parts of a message between its values and its alternatives, long enough to be found again. */
const partsOf = (message: string): string[] =>
  message
    .split(/"…"|…|; or: |, | is "/)
    .map((part) => part.trim())
    .filter((part) => part.length > 12);

test("every message that the reference explains is somewhere in the product", () => {
  expect(explained.length).toBeGreaterThan(10);
  const missing = explained.flatMap(partsOf).filter((part) => !source.includes(part));
  expect(missing).toEqual([]);
});
