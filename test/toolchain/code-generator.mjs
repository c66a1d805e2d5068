// What makes Pulumi's packages of a schema for Node, Python and Go. The language hosts that can be built here do not.
// `node code-generator.mjs` builds it and prints where it is; `node code-generator.mjs compile FOLDER` compiles a package for Go.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { goEnvironment } from "./build-pulumi.mjs";
import { pulumiVersion } from "./pulumi.mjs";
import { cache, executable, fail, runQuietly, step, withLock } from "./steps.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
// A program of the CLI's own module, so that it has the very versions that the CLI has.
const module = path.join(here, "cli");

/** The generator, built where it is not there yet; a Stop when it cannot be. */
export function codeGenerator() {
  const program = path.join(cache, "pulumi", pulumiVersion, executable(`code-generator-${fingerprint()}`));
  if (fs.existsSync(program)) return program;
  return withLock("code-generator", () => {
    if (!fs.existsSync(program)) build(program);
    return program;
  });
}

function build(program) {
  fs.mkdirSync(path.dirname(program), { recursive: true });
  const output = `${program}.new`;
  step("building Pulumi's code generator with Go", "5 s, up to 3 min with an empty Go cache", () =>
    go(["build", "-o", output, "-ldflags", "-s -w", "./code-generator"], module),
  );
  fs.renameSync(output, program);
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of ["code-generator/main.go", "go.mod", "go.sum"])
    hash.update(fs.readFileSync(path.join(module, file)));
  return hash.digest("hex").slice(0, 12);
}

/** Compiles a generated package; a Stop with what the compiler says. */
function compile(folder) {
  const own = fs.readFileSync(path.join(folder, "go.mod"), "utf8");
  const modules = fs.readFileSync(path.join(module, "go.mod"), "utf8");
  // Its own module, with the versions and sums that are there already.
  fs.writeFileSync(path.join(folder, "go.mod"), modules.replace(/^module .*/, /^module .*/m.exec(own)[0]));
  fs.copyFileSync(path.join(module, "go.sum"), path.join(folder, "go.sum"));
  go(["build", "./..."], folder);
}

function go(args, cwd) {
  runQuietly("go", args, { cwd, env: goEnvironment(), minutes: 15 });
}

try {
  const [command, folder] = process.argv.slice(2);
  if (command === "compile") compile(folder);
  else process.stdout.write(codeGenerator());
} catch (error) {
  fail(error);
}
