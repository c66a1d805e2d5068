/** Checks that no sentence of the documentation begins with a clause such as "What it sends". */
import { pages, pageText } from "../../tools/docs/blocks";

/** The paragraphs, list items and table cells of the page, each on one line, without code blocks and comments. */
const passagesOf = (page: string): string[] =>
  page
    .replace(/<!--[\s\S]*?-->|^```[\s\S]*?^```$/gm, "")
    .split(/\n\s*\n|\n(?=- |\d+\. |\|)| \| /)
    .map((passage) => passage.replace(/\s+/g, " ").trim());

const CLAUSE = /^(?:[-*>|\s]|\d+\. )*(?:What|Whoever|Where|Of what)\b/;

const clausesIn = (page: string): string[] =>
  passagesOf(page)
    .filter((passage) => !passage.startsWith("#"))
    .flatMap((passage) => passage.split(/(?<=[.!?]\**) (?=[A-Z*`[])/))
    .filter((sentence) => CLAUSE.test(sentence) && !/\?\W*$/.test(sentence));

test("no sentence of the documentation begins with What, Whoever or Where, unless it asks something", () => {
  const read = pages().filter((page) => page !== "CHANGELOG.md");
  expect(read.length).toBeGreaterThan(40);
  expect(read.flatMap((page) => clausesIn(pageText(page)).map((each) => `${page}: ${each}`))).toEqual([]);
});

test("this test finds sentences that begin with What, Whoever or Where in paragraphs, items and cells, and ignores questions", () => {
  const page =
    "It ends.\nWhat it makes stays.\n\n- Where it fails, it says so.\n\n| a | Whoever comes, waits. |\n";
  expect(clausesIn(page)).toHaveLength(3);
  expect(clausesIn("## What it is\n\n**1. What is it?** A test.\n")).toEqual([]);
});
