// Makes an executable of a Node program, one file with all that it needs: `node bundle.mjs ENTRY FILE`.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * What a process needs with its first check or its first request, if ever. Node reads through all code of a file before
 * it runs the first line: these are half of ours, so they stand in it as text, which is code only when it is asked for.
 */
const LATER = ["@grpc/proto-loader", "undici", "zod"];

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  minify: true,
  keepNames: true,
  logLevel: "error",
};

async function textOf(name) {
  const contents = `module.exports = require(${JSON.stringify(name)});`;
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: root }, write: false });
  return outputFiles[0].text;
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
await build({ ...options, entryPoints: [entry], outfile, banner, plugins: [asText] });
