/** Which files are mutated, and which tests run for each: those of its own name, since the tests mirror the tree. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["provider/client", "provider/journal"];
const DIFF = ["provider/fields/compare.ts", "provider/verdict/changes.ts", "provider/deployment/plan.ts"];

/** Tables and re-exports have nothing that could be mutated. */
const hasCode = (file) => /=>|\bfunction\b|\bclass\b/.test(readFileSync(file, "utf8"));

/** The files that are mutated, by their paths within the package. */
export function mutatedFiles(root) {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name.split(path.sep).join("/")}`),
  );
  return [...DIFF, ...inFolders.filter((file) => hasCode(path.join(root, file)))];
}

const SCENARIOS = "test/scenarios";

/**
 * `NAME.test.ts` and `NAME.*.test.ts` in the mirrored folder; without any, all tests of that folder. With them the
 * scenarios that have the folder in their name: `updateJournal.test.ts` is one of `journal/`.
 */
export function testsOf(root, file) {
  const folder = `test/${path.posix.dirname(file)}`;
  const name = path.posix.basename(file, ".ts");
  const tests = readdirSync(path.join(root, folder)).filter((each) => each.endsWith(".test.ts"));
  const own = tests.filter((each) => each.startsWith(`${name}.`));
  const scenarios = readdirSync(path.join(root, SCENARIOS)).filter((each) =>
    each.toLowerCase().endsWith(`${path.posix.basename(folder)}.test.ts`),
  );
  return [
    ...(own.length > 0 ? own : tests).map((each) => `${folder}/${each}`),
    ...scenarios.map((each) => `${SCENARIOS}/${each}`),
  ];
}
