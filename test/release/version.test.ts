/** Checks the version in `package.json`, and checks that all other files have the same version. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { version } from "../../package.json";

const text = (file: string) => readFileSync(path.join(__dirname, "..", "..", file), "utf8");
const json = (file: string) => JSON.parse(text(file));

test("the lock file, the schema and the changelog's newest entry have the version of package.json", () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
  expect(json("package-lock.json").version).toBe(version);
  expect(json("package-lock.json").packages[""].version).toBe(version);
  expect(json("provider/schema.json").version).toBe(version);
  expect(/^## \[(\d.*?)\] - /m.exec(text("CHANGELOG.md"))?.[1]).toBe(version);
});
