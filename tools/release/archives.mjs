// `npm run release:archives [-- FOLDER]`: makes the archives of the plugin that `pulumi plugin install`
// downloads, and their checksums. Each system has one archive. The same sources produce the same bytes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { create } from "tar";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { cache, fail, root, say } from "../steps.mjs";

const name = "pulumi-resource-deployment-control";
const plugin = path.join(root, "dist", "plugin", name);

// The engine's names for systems and processors.
const systems = ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

// The `.cmd` file that the engine looks for on Windows, because Windows ignores a script's `#!` line.
const forWindows = `@echo off\r\nnode "%~dp0${name}" %*\r\n`;

async function archive(folder, system, version) {
  const content = fs.mkdtempSync(path.join(cache, "plugin-"));
  try {
    fs.copyFileSync(plugin, path.join(content, name));
    fs.chmodSync(path.join(content, name), 0o755);
    for (const file of [path.join(root, "LICENSE"), path.join(plugin, "..", "THIRD-PARTY-LICENSES.txt")])
      fs.copyFileSync(file, path.join(content, path.basename(file)));
    if (system.startsWith("windows")) fs.writeFileSync(path.join(content, `${name}.cmd`), forWindows);
    const file = path.join(folder, `${name}-v${version}-${system}.tar.gz`);
    // The engine unpacks the archive into the plugin's folder, so the files must be at the archive's root.
    const stable = { portable: true, mtime: new Date(0) };
    await create({ gzip: true, cwd: content, file, ...stable }, fs.readdirSync(content).sort());
    return file;
  } finally {
    fs.rmSync(content, { recursive: true, force: true });
  }
}

try {
  ensureInstalled();
  ensureBuilt();
  const folder = path.resolve(process.argv[2] ?? path.join(cache, "release"));
  fs.mkdirSync(folder, { recursive: true });
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const files = [];
  for (const system of systems) files.push(await archive(folder, system, version));
  const sum = (file) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
  const sums = files.map((file) => `${sum(file)}  ${path.basename(file)}\n`);
  fs.writeFileSync(path.join(folder, `${name}-v${version}.sha256`), sums.join(""));
  say(`${files.length} archives of the plugin ${version}: ${folder}`);
} catch (error) {
  fail(error);
}
