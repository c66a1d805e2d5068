import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { RESOURCES } from "../../provider/resources";
import { fileName } from "../../tools/docs/reference/markdown";

const root = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
const readme = textOf("README.md");
const LONGEST = 150;
const LARGEST_PICTURE = 200_000;

test("the README is short, and names each resource with a link to its page", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(LONGEST);
  for (const name of Object.keys(RESOURCES))
    expect(readme).toContain(`](docs/reference/${fileName(name)}.md)`);
});

test("the first screen of the README says what the package does, how to try it and how to use it", () => {
  const screen = readme.split("\n").slice(0, 30).join("\n");
  for (const words of [
    "creates a new revision (",
    "updates in place, no new revision (",
    "npm start",
    "first-stack.md",
  ])
    expect(screen).toContain(words);
});

test("the README has the same program as the first guide", () => {
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(textOf("docs/guides/first-stack.md")).toContain(program as string);
});

test("the picture of the report is a small PNG", () => {
  const file = path.join(root, "docs", "report.png");
  expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG");
  expect(statSync(file).size).toBeLessThan(LARGEST_PICTURE);
});

test("every script that README and CONTRIBUTING name exists, and CONTRIBUTING names all scripts", () => {
  const scripts = Object.keys(JSON.parse(textOf("package.json")).scripts);
  const pages = `${readme}${textOf("CONTRIBUTING.md")}`;
  const named = [
    ...[...pages.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name as string),
    ...[...pages.matchAll(/npm (start|test)\b/g)].map(([, name]) => name as string),
  ];
  for (const name of named) expect(scripts).toContain(name);
  const byNpm = ["preversion", "version"];
  expect(scripts.filter((name) => !byNpm.includes(name) && !named.includes(name))).toEqual([]);
});
