/** Checks the contents of the package: the built files in `dist`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";

const DIST = path.join(__dirname, "..", "..", "dist");
const compiled = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(js|d\.ts)$/.test(file),
);
const textOf = (file: string): string => readFileSync(path.join(DIST, file), "utf8");

/** The relative paths that a file requires or imports; imports of types count too. */
function namedIn(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(textOf(file), true, true);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
}

test("the package contains every file that its files import", () => {
  expect(compiled.length).toBeGreaterThan(200);
  const missing = compiled.flatMap((file) => {
    const ending = file.endsWith(".js") ? ".js" : ".d.ts";
    return namedIn(file)
      .map((name) => path.join(path.dirname(file), name))
      .filter(
        (name) =>
          ![name + ending, path.join(name, `index${ending}`)].some((it) => existsSync(path.join(DIST, it))),
      )
      .map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});
