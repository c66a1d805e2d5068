// Makes a module of what another one exports of a package, with the package's code within it and its licence at its
// head: `node carry.mjs ENTRY FILE`. Of a package that is many files, only what is used is loaded then, in one.
import fs from "node:fs";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

const [entry, outfile] = process.argv.slice(2);
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  logLevel: "error",
  metafile: true,
  write: false,
});
const licences = licencesOf(Object.keys(metafile.inputs)).join("\n");
fs.writeFileSync(outfile, `/*!\n${licences}*/\n${outputFiles[0].text}`);
