// Compiles a generated Go package with the CLI's versions of its dependencies: `node compile-go.mjs FOLDER`.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { asProgram } from "../steps.mjs";
import { go } from "./go-tools.mjs";

const cli = path.join(path.dirname(fileURLToPath(import.meta.url)), "cli");

asProgram(import.meta.url, (folder) => {
  const file = path.join(folder, "go.mod");
  const [module] = /^module .*/m.exec(fs.readFileSync(file, "utf8"));
  // The package stays a separate module, but gets the versions and checksums of the CLI's module.
  const versions = fs.readFileSync(path.join(cli, "go.mod"), "utf8");
  fs.writeFileSync(file, versions.replace(/^module .*/, module));
  fs.copyFileSync(path.join(cli, "go.sum"), path.join(folder, "go.sum"));
  go(["build", "./..."], folder);
});
