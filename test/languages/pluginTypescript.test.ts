/** Programs in TypeScript with the package that is generated from the schema, on the provider plugin. */
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

/** Runs `npm install` for the generated package, with the packages that this project has installed. */
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
test("pluginTypescript: its program type-checks with the generated package", () => {
  for (const file of ["index.ts", "tsconfig.json"])
    cpSync(path.join(EXAMPLES, "pluginTypescript", file), path.join(folder, file));
  expect(() => compile(folder, "--noEmit")).not.toThrow();
});

test("pluginTypescript: up, up again, the edits of its README, destroy", () =>
  runs("pluginTypescript", { ...quickstart, environment }));
