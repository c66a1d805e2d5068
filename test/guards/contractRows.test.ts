/** The table names a test for every row of the contract, and the teardown of that test proves that it sends the row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rows, senderOf, senders } from "./contractRows";

const ROOT = join(__dirname, "..", "..");

test("the rows are the contract's endpoints, filters and fields, each once", () => {
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.filter((row) => /^\w+ \S+$/.test(row))).toHaveLength(12);
  expect(rows.filter((row) => row.includes(" ?"))).toHaveLength(15);
});

test("the table names a test for every row of the contract, and has no other rows", () => {
  expect(rows.filter((row) => senderOf(row) === undefined)).toEqual([]);
  expect(Object.keys(senders).filter((row) => !rows.includes(row))).toEqual([]);
});

test.each(Object.entries(senders))(
  "%s: the test that the table names exists, and proves that it sends the row",
  (_, { file, title }) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    expect(text.split(`test(${JSON.stringify(title)}, `)).toHaveLength(2);
    // In a teardown, so that no test of the file can leave it out.
    expect(text).toMatch(
      new RegExp(
        `\\nafterEach\\(async \\(\\) => \\{\\n[^}]*expectProven\\("${file}", emulator\\.requests\\);\\n\\}\\);`,
      ),
    );
  },
);

test("the table names every test of those files", () => {
  for (const file of new Set(Object.values(senders).map((sender) => sender.file))) {
    const titles = [...readFileSync(join(ROOT, file), "utf8").matchAll(/^test(?:\.\w+)?\((.*?)(?:, |$)/gm)];
    const named = Object.values(senders).filter((sender) => sender.file === file);
    expect(titles).toHaveLength(named.length);
  }
});
