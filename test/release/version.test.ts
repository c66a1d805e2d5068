/** Checks the version in `package.json`, and that every other place with a version matches it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { version } from "../../package.json";

const ROOT = path.join(__dirname, "..", "..");
const CHANGELOG = path.join(ROOT, "tools", "release", "changelog.mjs");
const json = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));

/**
 * The value of an expression that calls functions of `changelog.mjs`, or the message of the error that the
 * expression throws.
 */
function evaluated(expression: string): unknown {
  const program = `import * as log from ${JSON.stringify(pathToFileURL(CHANGELOG).href)};
let result;
try { result = ${expression}; } catch (error) { result = error.message; }
process.stdout.write(JSON.stringify(result));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("the lock file, the schema and the changelog's newest entry have the version of package.json", () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  expect(json("package-lock.json").version).toBe(version);
  expect(json("package-lock.json").packages[""].version).toBe(version);
  expect(json("provider/schema.json").version).toBe(version);
  expect(evaluated("log.newestEntry()")).toMatchObject({ version });
});
