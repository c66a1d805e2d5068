// Makes a module of what another one exports of a package, with the package's code within it and its licence at its
// head: `node carry.mjs ENTRY FILE`. Of a package that is many files, only what is used is loaded then, in one.
import { build } from "esbuild";
import { licencesOf } from "./licences.mjs";
import { root } from "./steps.mjs";

const [entry, outfile] = process.argv.slice(2);
const options = {
  absWorkingDir: root,
  entryPoints: [entry],
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  logLevel: "error",
};
const { metafile } = await build({ ...options, metafile: true, write: false });
const licences = licencesOf(Object.keys(metafile.inputs)).join("\n");
await build({ ...options, minify: true, outfile, banner: { js: `/*!\n${licences}*/` } });
