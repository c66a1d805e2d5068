import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import table from "../mutation/tests.json";

const root = path.join(__dirname, "..", "..");
const FOLDERS = ["provider/client", "provider/journal"];
const DIFF = ["provider/fields/compare.ts", "provider/changes.ts", "provider/deployment/plan.ts"];

/** Tables and re-exports have nothing that could be mutated. */
const hasCode = (file: string): boolean =>
  /=>|\bfunction\b|\bclass\b/.test(readFileSync(path.join(root, file), "utf8"));

test("every file of the client, the journal and the diff is mutated with tests that exist", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  ).filter(hasCode);
  expect(Object.keys(table).sort()).toEqual([...files, ...DIFF].sort());
  for (const tests of Object.values(table)) {
    expect(tests).not.toEqual([]);
    for (const name of tests) expect(existsSync(path.join(root, "test", `${name}.test.ts`))).toBe(true);
  }
});
