// Bundles a Node program and everything that it needs into one executable file: `node bundle.mjs ENTRY FILE`. Writes
// the licenses of the bundled packages next to FILE.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

/**
 * Packages that make up half of the code, but are needed only for requests. Node parses a whole file before it runs the
 * first line, so these packages are embedded as text, which is compiled before the first request.
 */
const LATER = ["undici"];

/** Packages that gRPC loads for channelz and ORCA, which the plugin does not serve. */
const NEVER = ["@grpc/proto-loader"];

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  minify: true,
  keepNames: true,
  external: NEVER,
  metafile: true,
  logLevel: "error",
};

/** The files that the bundle contains. */
const inputs = [];

async function textOf(name) {
  const contents = `module.exports = require(${JSON.stringify(name)});`;
  const stdin = { contents, resolveDir: root };
  const bundle = await build({ ...options, stdin, write: false });
  inputs.push(...Object.keys(bundle.metafile.inputs));
  return bundle.outputFiles[0].text;
}

const asText = {
  name: "as text",
  setup({ onResolve, onLoad }) {
    const namespace = "as-text";
    onResolve({ filter: new RegExp(`^(${LATER.join("|")})$`) }, ({ path: name }) => ({
      path: name,
      namespace,
    }));
    onLoad({ filter: /./, namespace }, async ({ path: name }) => ({
      contents: `
        const { compileFunction } = require("node:vm");
        const text = ${JSON.stringify(await textOf(name))};
        const run = compileFunction(text, ["module", "exports", "require"], { filename: ${JSON.stringify(name)} });
        run(module, exports, require);`,
    }));
  },
};

const [entry, outfile] = process.argv.slice(2);
const banner = { js: "#!/usr/bin/env node" };
const executable = await build({ ...options, entryPoints: [entry], outfile, banner, plugins: [asText] });
inputs.push(...Object.keys(executable.metafile.inputs));
const head = `${path.basename(outfile)} carries the following packages within it.\n`;
const licences = [head, ...licencesOf(inputs)].join(`\n${"-".repeat(80)}\n\n`);
fs.writeFileSync(path.join(path.dirname(outfile), "THIRD-PARTY-LICENSES.txt"), licences);
