// Builds the generator of Pulumi's packages for Node, Python and Go, because the language hosts that the project builds
// cannot generate packages. `node code-generator.mjs` builds the generator and prints its path;
// `node code-generator.mjs compile FOLDER` compiles a package for Go.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "../steps.mjs";
import { go, goTool } from "./go-tools.mjs";

// The Go module of the CLI, from whose sources the generator is built.
const module = path.join(path.dirname(fileURLToPath(import.meta.url)), "cli");

/** Compiles a generated package; throws a Stop with the compiler's output. */
function compile(folder) {
  const moduleText = fs.readFileSync(path.join(folder, "go.mod"), "utf8");
  const modules = fs.readFileSync(path.join(module, "go.mod"), "utf8");
  // The package stays a separate module, but gets the versions and checksums of the CLI's module.
  fs.writeFileSync(
    path.join(folder, "go.mod"),
    modules.replace(/^module .*/, /^module .*/m.exec(moduleText)[0]),
  );
  fs.copyFileSync(path.join(module, "go.sum"), path.join(folder, "go.sum"));
  go(["build", "./..."], folder);
}

try {
  const [command, folder] = process.argv.slice(2);
  if (command === "compile") compile(folder);
  else process.stdout.write(goTool("code-generator"));
} catch (error) {
  fail(error);
}
