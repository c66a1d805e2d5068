/** Compares the lists to which a new resource is added by hand with `RESOURCES`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { RESOURCES } from "../../provider/resources";
import * as sdk from "../../sdk/index";
import { fileName } from "../../tools/docs/reference/markdown";

const resources = Object.keys(RESOURCES);

test("a program imports a class for each resource", () => {
  expect(resources.filter((name) => !Object.hasOwn(sdk, name))).toEqual([]);
});

test("the README names each resource with its page", () => {
  const text = readFileSync(path.join(__dirname, "../..", "README.md"), "utf8");
  expect(resources.filter((name) => !text.includes(`](docs/reference/${fileName(name)}.md)`))).toEqual([]);
});
