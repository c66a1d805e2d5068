// Bundles a Node program and everything that it needs into one executable file: `node bundle.mjs ENTRY FILE`. Writes
// the licenses of the bundled packages next to FILE.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { licencesOf } from "./licences.mjs";

/**
 * The parts of undici that provider/client/http.ts uses. They are a quarter of the code, but are needed only for
 * requests. Node parses a whole file before it runs the first line, so these parts are embedded as text, which is
 * compiled before the first request.
 */
const UNDICI = `
  Object.assign(require("undici/lib/dispatcher/dispatcher").prototype, require("undici/lib/api"));
  exports.Agent = require("undici/lib/dispatcher/agent");
  exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent");`;

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

/**
 * undici contains its parser twice: with SIMD, which each CPU of the plugin's archives has, and without. The text has the
 * first one only.
 */
const oneParser = {
  name: "one parser",
  setup({ onResolve }) {
    onResolve({ filter: /\/llhttp-wasm\.js$/ }, ({ path: name, importer }) => ({
      path: path.join(path.dirname(importer), name.replace("llhttp-", "llhttp_simd-")),
    }));
  },
};

async function textOf(contents) {
  const stdin = { contents, resolveDir: root };
  const bundle = await build({ ...options, stdin, plugins: [oneParser], write: false });
  inputs.push(...Object.keys(bundle.metafile.inputs));
  return bundle.outputFiles[0].text;
}

const asText = {
  name: "as text",
  setup({ onResolve, onLoad }) {
    const namespace = "as-text";
    onResolve({ filter: /^undici$/ }, ({ path: name }) => ({ path: name, namespace }));
    onLoad({ filter: /./, namespace }, async () => ({
      contents: `
        const { compileFunction } = require("node:vm");
        const text = ${JSON.stringify(await textOf(UNDICI))};
        const run = compileFunction(text, ["module", "exports", "require"], { filename: "undici" });
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
