/** Sentences of the documentation begin with a noun, not with a clause such as "What it sends". */
import { pages, pageText } from "../../tools/docs/blocks";

/** Paragraphs, items and cells, each on one line, without code blocks and comments. */
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

test("no sentence of the documentation begins with What, Whoever or Where, apart from questions", () => {
  const read = pages().filter((page) => page !== "CHANGELOG.md");
  expect(read.length).toBeGreaterThan(40);
  expect(read.flatMap((page) => clausesIn(pageText(page)).map((each) => `${page}: ${each}`))).toEqual([]);
});

test("the test finds such a sentence in a paragraph, an item and a cell, and no question", () => {
  const page =
    "It ends.\nWhat it makes stays.\n\n- Where it fails, it says so.\n\n| a | Whoever comes, waits. |\n";
  expect(clausesIn(page)).toHaveLength(3);
  expect(clausesIn("## What it is\n\n**1. What is it?** A test.\n")).toEqual([]);
});
