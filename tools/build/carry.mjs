// Makes one file of a module and everything that it loads, with the licenses of the bundled packages at the top: `node
// carry.mjs ENTRY FILE`. The file is not minified, so that a stack trace names our functions.
import fs from "node:fs";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

/** Node parses a whole file before it runs the first line, and a run that sends nothing does not need undici. */
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
