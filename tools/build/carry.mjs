// Bundles a module and everything that it loads into one file, with the licenses of the bundled packages at the top:
// `node carry.mjs ENTRY FILE`. The file is not minified, so that a stack trace names our functions.
import fs from "node:fs";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

/** Packages that the file leaves out, because Node would parse undici even in a run that sends no request. */
const OUTSIDE = ["undici", "@pulumi/pulumi"];

const [entry, outfile] = process.argv.slice(2);
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  external: OUTSIDE,
  platform: "node",
  target: "node22",
  format: "cjs",
  logLevel: "error",
  metafile: true,
  write: false,
});
const licences = licencesOf(Object.keys(metafile.inputs)).join("\n");
fs.writeFileSync(outfile, `/*!\n${licences}*/\n${outputFiles[0].text}`);
