import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..");

/** The folders for tests of several modules. All other folders mirror the product's folders. */
const SPANNING = [
  "engine",
  "faults",
  "guards",
  "goldens",
  "agreement",
  "bench",
  "examples",
  "languages",
  "release",
];

const testsIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, "test", folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")));

test("a test of one module has the module's path, and at most one further word in its name", () => {
  const strays = ["provider", "sdk"]
    .flatMap(testsIn)
    .filter((test) => !existsSync(path.join(ROOT, test.replace(/(\.\w+)?\.test\.ts$/, ".ts"))));
  expect(strays).toEqual([]);
});

test("every test outside `provider` and `sdk` is in a folder for tests of several modules", () => {
  const folders = readdirSync(path.join(ROOT, "test"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && testsIn(entry.name).length > 0)
    .map(({ name }) => name);
  expect(folders.filter((name) => !["provider", "sdk", ...SPANNING].includes(name))).toEqual([]);
  for (const name of SPANNING) expect(existsSync(path.join(ROOT, "test", name))).toBe(true);
});
