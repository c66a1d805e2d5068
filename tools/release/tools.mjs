// The tools that check a release. tools/package.json lists them. `node tools.mjs` installs missing tools, and
// prints the folder of their commands.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { asProgram, cache, makeFolder, runQuietly, step, withLock } from "../steps.mjs";

const here = fileURLToPath(new URL("tools", import.meta.url));
const files = ["package.json", "package-lock.json"];

/** The folder of the tools' commands. A separate lock file pins the tools. */
export function releaseTools() {
  const hash = createHash("sha256");
  for (const file of files) hash.update(fs.readFileSync(path.join(here, file)));
  const folder = path.join(cache, `release-tools-${hash.digest("hex").slice(0, 12)}`);
  const bin = path.join(folder, "node_modules", ".bin");
  if (!fs.existsSync(bin)) withLock("release-tools", () => fs.existsSync(bin) || install(folder));
  return bin;
}

function install(folder) {
  makeFolder(folder, (work) => {
    for (const file of files) fs.copyFileSync(path.join(here, file), path.join(work, file));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    step("installing the tools that check a release", "20 to 60 s", () => {
      runQuietly("npm", ["ci", ...options], { cwd: work });
    });
  });
}

asProgram(import.meta.url, () => process.stdout.write(releaseTools()));
