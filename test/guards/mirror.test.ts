import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { files } from "./imports";

const ROOT = path.join(__dirname, "..", "..");

/** Tests that span several things stand beside the mirrored folders. */
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

test("each test of one thing has the path of that thing, with a word of its own at most", () => {
  const strays = ["provider", "sdk"]
    .flatMap(testsIn)
    .filter((test) => !files.has(test.replace(/(\.\w+)?\.test\.ts$/, ".ts")));
  expect(strays).toEqual([]);
});

test("all other tests stand in the folders for what spans several things", () => {
  const folders = readdirSync(path.join(ROOT, "test"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && testsIn(entry.name).length > 0)
    .map(({ name }) => name);
  expect(folders.filter((name) => !["provider", "sdk", ...SPANNING].includes(name))).toEqual([]);
  for (const name of SPANNING) expect(existsSync(path.join(ROOT, "test", name))).toBe(true);
});
