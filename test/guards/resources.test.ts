/** The lists that a new resource still feeds by hand: what each lacks of `RESOURCES`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { RESOURCES } from "../../provider/resources";
import * as sdk from "../../sdk/index";
import { fileName } from "../../tools/docs/reference/markdown";

const resources = Object.keys(RESOURCES);

test("a program imports a class for each resource", () => {
  expect(resources.filter((name) => !Object.hasOwn(sdk, name))).toEqual([]);
});

test.each([
  ["README.md", "docs/reference/"],
  ["docs/reference/README.md", ""],
])("%s names each resource with its page", (file, folder) => {
  const text = readFileSync(path.join(__dirname, "../..", file), "utf8");
  expect(resources.filter((name) => !text.includes(`](${folder}${fileName(name)}.md)`))).toEqual([]);
});
