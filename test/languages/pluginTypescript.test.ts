/** Runs a TypeScript program with the provider plugin and the package that Pulumi generates from the schema. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EXAMPLES, runs } from "../support/examples/example";
import { generatedPackage } from "../support/languages/generatedPackage";
import { hosting, type Variables, WITH_BUILD } from "../support/languages/hosts";
import { quickstart } from "../support/languages/quickstart";

const OURS = path.join(__dirname, "..", "..", "node_modules");

let folder: string;
let environment: Variables;

function compile(project: string, ...flags: readonly string[]): void {
  const tsc = path.join(OURS, "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", project, ...flags], { stdio: "pipe", encoding: "utf8" });
}

/**
 * Installs the generated package as `npm install` would. The other packages are links to this repository's
 * `node_modules`.
 */
function install(generated: string): void {
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of ["@pulumi", "@types"]) symlinkSync(path.join(OURS, name), path.join(modules, name));
  const installed = path.join(modules, "pulumi-deployment-control-sdk");
  renameSync(generated, installed);
  compile(installed);
  cpSync(path.join(installed, "package.json"), path.join(installed, "bin", "package.json"));
}

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-typescript-"));
  install(generatedPackage("nodejs", folder));
  const NODE_PATH = [path.join(folder, "node_modules"), OURS].join(path.delimiter);
  environment = { ...hosting("nodejs"), NODE_PATH };
}, WITH_BUILD);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
test("the program of the example pluginTypescript passes the type check with the generated package", () => {
  for (const file of ["index.ts", "tsconfig.json"])
    cpSync(path.join(EXAMPLES, "pluginTypescript", file), path.join(folder, file));
  expect(() => compile(folder, "--noEmit")).not.toThrow();
});

test("the example pluginTypescript runs as its README says: `pulumi up` twice, each edit, destroy", () =>
  runs("pluginTypescript", { ...quickstart, environment }));
