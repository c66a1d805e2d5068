// Puts the compiled files of the package into dist: the files that the package's entries and commands load,
// with comments removed, and all declarations that the entries' declarations refer to.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../steps.mjs";

const dist = path.join(root, "dist");

/** A different build step fills this folder of dist. */
const PLUGIN = "plugin";

export function fillDist(compiled) {
  const usedFiles = usedIn(compiled);
  const declarations = [...usedFiles].filter((file) => file.endsWith(".d.ts"));
  for (const file of declarations)
    writeIfOther(path.join(dist, file), fs.readFileSync(path.join(compiled, file)));
  const code = withoutComments(
    compiled,
    [...usedFiles].filter((file) => file.endsWith(".js")),
  );
  for (const { path: file, contents } of code) writeIfOther(file, contents);
  for (const file of filesIn(dist)) {
    if (!usedFiles.has(file) && file.split(path.sep)[0] !== PLUGIN) fs.rmSync(path.join(dist, file));
  }
}

function usedIn(compiled) {
  const { exports: entries, bin } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const entryFiles = [...Object.values(entries).flatMap(filesOf), ...Object.values(bin)];
  const inDist = entryFiles.map((file) => path.relative("dist", file));
  const usedFiles = new Set();
  const filesToRead = inDist.filter((file) => /\.(js|d\.ts)$/.test(file));
  for (let file = filesToRead.pop(); file !== undefined; file = filesToRead.pop()) {
    if (usedFiles.has(file)) continue;
    usedFiles.add(file);
    filesToRead.push(...namedIn(compiled, file));
  }
  return usedFiles;
}

/** Drops comments, except licenses. Declarations keep their comments, because editors show them. */
function withoutComments(compiled, files) {
  // esbuild is loaded late, because a script that imports this module may run before the packages are installed.
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const entryPoints = files.map((file) => path.join(compiled, file));
  return buildSync({ entryPoints, outbase: compiled, outdir: dist, write: false, charset: "utf8" })
    .outputFiles;
}

const filesOf = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));

// Patterns for the files that a compiled file loads. Compiled code calls `require`. A declaration file has imports
// and types of the form `import("…")`.
const named = {
  ".js": /\brequire\("(\.[^"]+)"\)/g,
  ".d.ts": /\b(?:from |import\(|import )"(\.[^"]+)"/g,
};

function namedIn(compiled, file) {
  const ending = file.endsWith(".d.ts") ? ".d.ts" : ".js";
  const text = fs.readFileSync(path.join(compiled, file), "utf8");
  return [...text.matchAll(named[ending])].flatMap(([, name]) => {
    const target = path.join(path.dirname(file), name);
    const isThere = (candidate) =>
      fs.statSync(path.join(compiled, candidate), { throwIfNoEntry: false })?.isFile();
    return [target + ending, path.join(target, `index${ending}`), target].filter(isThere).slice(0, 1);
  });
}

// Leaves an unchanged file alone, because other processes may be loading it.
function writeIfOther(file, content) {
  if (fs.existsSync(file) && fs.readFileSync(file).equals(content)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

/** The files of a folder and its subfolders, as paths relative to the folder. */
export function filesIn(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true });
  return names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
}
