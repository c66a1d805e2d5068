/** The contents of the package: dist as built. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";

const DIST = path.join(__dirname, "..", "..", "dist");
const compiled = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(js|d\.ts)$/.test(file),
);
const textOf = (file: string): string => readFileSync(path.join(DIST, file), "utf8");

/** The relative names that a file requires or imports, even in types. */
function namedIn(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(textOf(file), true, true);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
}

test("no file of the package names a file that is not in it", () => {
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

test("the package has no source maps, and no file that refers to one", () => {
  expect(
    readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".map")),
  ).toEqual([]);
  expect(compiled.filter((file) => textOf(file).includes("sourceMappingURL"))).toEqual([]);
});

test("declarations that no entry names stay out of the package", () => {
  expect(compiled).toContain(path.join("sdk", "index.d.ts"));
  expect(compiled).toContain(path.join("provider", "deployment", "deployment.js"));
  expect(compiled).not.toContain(path.join("provider", "deployment", "deployment.d.ts"));
});
