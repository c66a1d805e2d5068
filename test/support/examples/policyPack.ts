/** The policy pack, its framework, and the program that starts the pack. Only this example needs the framework. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { x as extract } from "tar";
import { EXAMPLES } from "./example";

const SOURCE = path.join(EXAMPLES, "policyPack");
/** The folder is below the project, so that Node finds all other packages in the project. */
const CACHE = path.join(EXAMPLES, "..", ".cache");
const INTEGRITY =
  "sha512-tLczMS7S2UUpc1qO9xvGY54GumUShTNxm/BY/T1fb0Hp/ILScxXzrmLpkbt4KUGZAcX/EdGLVuMGHyhreqbfvg==";

/** The folder of the installed pack, or the reason why the framework could not be installed. */
export function installedPack(): { readonly folder: string } | { readonly missing: string } {
  const { devDependencies } = JSON.parse(readFileSync(path.join(SOURCE, "package.json"), "utf8"));
  const framework = `@pulumi/policy@${devDependencies["@pulumi/policy"]}`;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(path.join(CACHE, "policy-pack-"));
  const options = ["--json", "--ignore-scripts", "--prefer-offline", "--pack-destination", work];
  const patience = ["--fetch-retries=0", "--fetch-timeout=30000"];
  const args = ["pack", framework, ...options, ...patience];
  const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  if (status !== 0) {
    rmSync(work, { recursive: true, force: true });
    return { missing: `npm cannot get ${framework}: ${stderr.trim().split("\n")[0]}` };
  }
  const [{ integrity, filename }] = JSON.parse(stdout);
  if (integrity !== INTEGRITY) throw new Error(`${framework} has another sum than recorded: ${integrity}`);
  const modules = path.join(work, "node_modules", "@pulumi");
  mkdirSync(modules, { recursive: true });
  extract({ file: path.join(work, filename), cwd: modules, sync: true });
  renameSync(path.join(modules, "package"), path.join(modules, "policy"));
  cpSync(SOURCE, work, { recursive: true });
  startByName(work);
  return { folder: work };
}

/** Starts the pack with a runtime called `tested`, because a CLI built from a checkout cannot start the pack. */
function startByName(pack: string): void {
  const project = path.join(pack, "PulumiPolicy.yaml");
  writeFileSync(project, readFileSync(project, "utf8").replace("runtime: nodejs", "runtime: tested"));
  mkdirSync(path.join(pack, "bin"));
  const starter = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${starter}" "$@"\n`;
  writeFileSync(path.join(pack, "bin", "pulumi-analyzer-policy-tested"), script, { mode: 0o755 });
}
