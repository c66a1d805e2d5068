/** Checks that the product has the messages that the documentation explains. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pages, pageText } from "../../tools/docs/blocks";

const ROOT = path.join(__dirname, "..", "..");

/** The text of the product's source files, without the marks around values in template strings. */
const source = ["provider", "sdk"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(ROOT, folder, name)),
  )
  .map((file) => readFileSync(file, "utf8").replace(/["'`]\s*\+\s*["'`]/g, ""))
  .join("\n")
  .replace(/\\"/g, '"');

/**
 * The first cells of the tables that explain our messages. Tables that explain messages of Pulumi and Node have other
 * column headings, and are left out.
 */
const explained = pages()
  .filter((page) => page.startsWith("docs/"))
  .flatMap((page) => [
    ...pageText(page).matchAll(/\| message \| (?:cause \| )?what to do \|\n(?:\|---)+\|\n((?:\|.*\n)+)/g),
  ])
  .flatMap(([, rows]) => (rows as string).trim().split("\n"))
  .map((row) => (row.split(" | ")[0] as string).replace(/^\| /, ""));

/**
 * The fixed parts of a message, between its values and its alternatives. Parts of fewer than 8 characters are left out,
 * because the source may contain them by chance.
 */
const partsOf = (message: string): string[] =>
  message
    .split(/"…"|…|; (?:or: )?|: |, | is "|[()]|\d+/)
    .map((part) => part.trim())
    .filter((part) => part.length >= 8);

test("the product has every message that the documentation explains", () => {
  expect(explained.length).toBeGreaterThan(30);
  const missing = explained.flatMap(partsOf).filter((part) => !source.includes(part));
  expect(missing).toEqual([]);
});
