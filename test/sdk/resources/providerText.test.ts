/** Jest finds this package from every folder, so these tests run the built code in Node without Jest. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..", "..");
const PACKAGE = "pulumi-deployment-control";
let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(path.join(os.tmpdir(), "deployment-control-links-")));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** A package in the workspace, with a link to each dependency that is installed. */
function folderOf(name: string, dependencies: Record<string, string | undefined>): string {
  const folder = path.join(workspace, name);
  mkdirSync(folder, { recursive: true });
  const names = Object.fromEntries(Object.keys(dependencies).map((each) => [each, "*"]));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, dependencies: names }));
  for (const [dependency, target] of Object.entries(dependencies)) {
    if (target === undefined) continue;
    const link = path.join(folder, "node_modules", dependency);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(target, link, "junction");
  }
  return folder;
}

const BUILT = path.join(ROOT, "dist", "sdk", "resources", "providerText.js");
const printed = (folder: string, script: string): string =>
  execFileSync(process.execPath, ["-p", script], { cwd: folder, encoding: "utf8" }).trim();

const textIn = (folder: string): string =>
  printed(folder, `require(${JSON.stringify(BUILT)}).providerText("deployment")`);

/** The file that the host loads when it runs the provider code in the folder, or the host's error. */
const loadedBy = (text: string, folder: string): string =>
  printed(
    folder,
    `${text}; try { exports.handler(); Object.keys(require.cache).find((file) => /provider.index.js$/.test(file)) } catch (error) { error.stack }`,
  );

const short = `exports.handler = () => require("${PACKAGE}/provider").deployment;`;

test("a program that has the package in its own folder gets the short provider code", () => {
  expect(textIn(folderOf("program", { [PACKAGE]: ROOT }))).toBe(short);
});

test("if only a dependency of a dependency has the package, the provider code names the links to the package, but no folder of the machine", () => {
  const agents = folderOf("agents", { [PACKAGE]: ROOT });
  const platform = folderOf("platform", { missing: undefined, "@acme/agents": agents });
  const program = folderOf("program", { "@acme/platform": platform, loop: path.join(workspace, "program") });
  const links =
    'fs.realpathSync(fs.realpathSync("." + "/node_modules/@acme/platform") + "/node_modules/@acme/agents")';
  expect(textIn(program)).toBe(
    `exports.handler = (fs = require("fs")) => require(require.resolve("${PACKAGE}/provider", { paths: [".", ${links}] })).deployment;`,
  );
  expect(loadedBy(textIn(program), program)).toBe(path.join(ROOT, "dist", "provider", "index.js"));
});

test("a different copy in the program's folder does not replace the copy that the component uses", () => {
  const copy = folderOf("copy", {});
  writeFileSync(path.join(copy, "package.json"), JSON.stringify({ name: PACKAGE, version: "0.0.1" }));
  const agents = folderOf("agents", { [PACKAGE]: ROOT });
  expect(textIn(folderOf("program", { [PACKAGE]: copy, agents }))).toContain('"/node_modules/agents"');
  expect(textIn(folderOf("alone", { [PACKAGE]: copy }))).toBe(short);
});

test("if no dependency leads to the package, the host's error is one line that says what to do", () => {
  const program = folderOf("program", { missing: undefined });
  expect(loadedBy(textIn(program), program)).toBe(
    `the program cannot load ${PACKAGE}: add it to its dependencies or, with pnpm, set public-hoist-pattern[]=${PACKAGE} in .npmrc`,
  );
});
