/** Chooses the files to mutate, and the tests for each file. The folders of the tests mirror those of the sources. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["provider/client", "provider/journal"];
const DIFF = ["provider/fields/compare.ts", "provider/verdict/changes.ts", "provider/deployment/plan.ts"];

/** Tables and re-exports have no code to mutate. */
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

/** The tests of all files in the file's folder, because the tests of a neighboring file may cover the file too. */
export function testsOf(root, file) {
  const folder = `test/${path.posix.dirname(file)}`;
  return readdirSync(path.join(root, folder))
    .filter((each) => each.endsWith(".test.ts"))
    .map((each) => `${folder}/${each}`);
}
