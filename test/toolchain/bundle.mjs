// Makes an executable of a Node program, one file with all that it needs: `node bundle.mjs ENTRY FILE`; beside it, the
// licences of the packages that it carries within it.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * What a process needs with its first check or its first request, if ever. Node reads through all code of a file before
 * it runs the first line: these are half of ours, so they stand in it as text, which is code only when it is asked for.
 */
const LATER = ["undici", "zod"];

/** What gRPC loads for channelz and ORCA, which the plugin does not serve. */
const NEVER = ["@grpc/proto-loader"];

// Zod speaks 50 languages, a fifth of the bundle. The provider words its complaints itself.
const withoutLanguages = {
  name: "without zod's languages",
  setup({ onResolve, onLoad }) {
    const namespace = "no-languages";
    onResolve({ filter: /\/locales\/index\.c?js$/ }, ({ path: name, importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: name, namespace } : undefined,
    );
    onLoad({ filter: /./, namespace }, () => ({ contents: "module.exports = {};" }));
  },
};

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

/** The files that went in. */
const inputs = [];

async function textOf(name) {
  const contents = `module.exports = require(${JSON.stringify(name)});`;
  const stdin = { contents, resolveDir: root };
  const made = await build({ ...options, stdin, write: false, plugins: [withoutLanguages] });
  inputs.push(...Object.keys(made.metafile.inputs));
  return made.outputFiles[0].text;
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

/** The packages that the files are of, each with its licence. */
function licences() {
  const folders = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const packages = [...new Set(folders.filter(Boolean))].sort();
  const head = `${path.basename(outfile)} carries the following packages within it.\n`;
  return [head, ...packages.map(licenceOf)].join(`\n${"-".repeat(80)}\n\n`);
}

function licenceOf(folder) {
  const read = (file) => fs.readFileSync(path.join(root, folder, file), "utf8").trim();
  const { name, version, license } = JSON.parse(read("package.json"));
  const texts = fs.readdirSync(path.join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  return `${[`${name} ${version} (${license})`, ...texts.map(read)].join("\n\n")}\n`;
}

const [entry, outfile] = process.argv.slice(2);
const banner = { js: "#!/usr/bin/env node" };
const made = await build({ ...options, entryPoints: [entry], outfile, banner, plugins: [asText] });
inputs.push(...Object.keys(made.metafile.inputs));
fs.writeFileSync(path.join(path.dirname(outfile), "THIRD-PARTY-LICENSES.txt"), licences());
