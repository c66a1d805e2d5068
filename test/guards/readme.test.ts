import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { deploymentRows } from "../../provider/fields/deployment";
import { CONFIGURATION_KEYS } from "../../provider/fields/settings";
import { classTable } from "../docs/classTable";

const root = path.join(__dirname, "..", "..");
const readme = readFileSync(path.join(root, "README.md"), "utf8");

test("the change-class table of the README is that of the provider's tables", () => {
  expect(readme).toContain(classTable());
});

test("every TypeScript block of the README stands in a file that the type checker reads", () => {
  const examples = readdirSync(path.join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => readFileSync(path.join(root, "examples", file), "utf8"));
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => (block as string).trim());
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(examples.some((example) => example.includes(block))).toBe(true);
});

test("the README names every setting and every argument that is not sent", () => {
  for (const key of CONFIGURATION_KEYS) expect(readme).toContain(`\`${key}\``);
  const ours = Object.entries(deploymentRows).filter(([, field]) => field.wire === undefined);
  for (const [name] of ours) expect(readme).toContain(`\`${name}`);
});

test("every command that the README gives exists", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const named = [
    ...readme.matchAll(/npm (?:run (?:--silent )?)?(start|test|build|lint|bench|pulumi|format)\b/g),
  ].map(([, name]) => name as string);
  expect(named).toEqual(expect.arrayContaining(["start", "test", "bench", "pulumi"]));
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});
