// Bundles code and its dependencies into one file. `node bundle.mjs plugin ENTRY FILE` makes an executable
// program, with the licenses of the bundled packages in a file next to FILE. `node bundle.mjs provider ENTRY
// FILE` makes a module with these licenses at its top. The module is not minified, so that a stack trace
// names our functions.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

/**
 * Packages that make up half of the code, but are needed only for requests. Node parses a whole file before it runs the
 * first line. These packages are therefore embedded as strings, which are compiled before the first request.
 */
const LATER = ["undici"];

/** Packages that gRPC loads for channelz and ORCA, which the plugin does not serve. */
const NEVER = ["@grpc/proto-loader"];

/**
 * Undici's private modules that our requests never use. Undici's only entry loads these modules, which are more than
 * half of undici's code. One of them is the faster build of undici's parser. Without that build, undici uses a
 * slower build.
 */
const UNUSED = /undici.lib.(cache|interceptor|mock|web|llhttp.llhttp_simd)/;

/** Packages outside the provider's bundle. In the bundle, Node would parse undici even in a run without requests. */
const OUTSIDE = ["undici", "@pulumi/pulumi"];

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  metafile: true,
  logLevel: "error",
};
const options = { ...common, minify: true, keepNames: true, external: NEVER };

/** The files that the bundle contains. */
const inputs = [];

async function textOf(name) {
  const contents = `module.exports = require(${JSON.stringify(name)});`;
  const stdin = { contents, resolveDir: root };
  const bundle = await build({ ...options, stdin, write: false, plugins: [emptied] });
  inputs.push(...Object.keys(bundle.metafile.inputs));
  return bundle.outputFiles[0].text;
}

const emptied = {
  name: "emptied",
  setup({ onLoad }) {
    // Undici makes a CacheStorage while it is loaded, so the emptied module must export this class.
    onLoad({ filter: UNUSED }, () => ({ contents: "exports.CacheStorage = class {};" }));
  },
};

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

async function bundlePlugin(entry, outfile) {
  const banner = { js: "#!/usr/bin/env node" };
  const executable = await build({ ...options, entryPoints: [entry], outfile, banner, plugins: [asText] });
  inputs.push(...Object.keys(executable.metafile.inputs));
  const head = `${path.basename(outfile)} carries the following packages within it.\n`;
  const licences = [head, ...licencesOf(inputs)].join(`\n${"-".repeat(80)}\n\n`);
  fs.writeFileSync(path.join(path.dirname(outfile), "THIRD-PARTY-LICENSES.txt"), licences);
}

async function bundleProvider(entry, outfile) {
  const settings = { ...common, entryPoints: [entry], outfile, external: OUTSIDE, write: false };
  const { metafile, outputFiles } = await build(settings);
  const licences = licencesOf(Object.keys(metafile.inputs)).join("\n");
  fs.writeFileSync(outfile, `/*!\n${licences}*/\n${outputFiles[0].text}`);
}

const [kind, entry, outfile] = process.argv.slice(2);
await (kind === "plugin" ? bundlePlugin : bundleProvider)(entry, outfile);
