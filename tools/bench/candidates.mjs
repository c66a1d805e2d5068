// The candidates that the benchmark compares, as rows of the table `CANDIDATES`.
import fs from "node:fs";
import path from "node:path";
import { cache, nodeBin, pinnedNode, root, runQuietly } from "../steps.mjs";

const once = (make) => {
  let product;
  return () => {
    product ??= make();
    return product;
  };
};

/** Folder of the trivial plugin, built like ours. */
const trivialPlugin = once(() => {
  const folder = path.join(cache, "bench", "trivial-plugin");
  const file = path.join(folder, "pulumi-resource-deployment-control");
  const bundler = path.join(root, "tools", "build", "bundle.mjs");
  runQuietly(pinnedNode, [bundler, "tools/bench/programs/trivialPlugin.js", file], { cwd: root });
  fs.chmodSync(file, 0o755);
  return folder;
});

/**
 * The environment variables with which a Python program finds Pulumi's SDK and the package that is generated from our
 * schema.
 */
const pythonPackage = once(() => {
  const folder = path.join(cache, "bench", "python-package");
  fs.rmSync(folder, { recursive: true, force: true });
  const program = (name, ...args) =>
    runQuietly(pinnedNode, [path.join(root, "tools", "toolchain", name), ...args], { minutes: 30 }).trim();
  const installed = path.join(folder, "installed");
  program("packages.mjs", folder, "python");
  return { PATH: program("python.mjs", path.join(folder, "python"), installed), PYTHONPATH: installed };
});

/**
 * `program`: the file in programs/ that declares the deployments. `floor`: the cheapest candidate that is possible in
 * this form. `asksNothing`: the candidate sends the service no requests, so latency does not matter. `plugins()`: the
 * folder with the plugin that the program needs. `language`: what runs the program, `nodejs` unless given. `needed()`:
 * the environment variables that the language needs.
 */
export const CANDIDATES = {
  floor: { program: "floor", floor: "floor", asksNothing: true, colour: "#0969da" },
  obvious: { program: "obvious", floor: "floor", colour: "#bf3989" },
  ours: { program: "ours", floor: "floor", colour: "#1a7f37" },
  "plugin-floor": {
    program: "pluginFloor",
    floor: "plugin-floor",
    asksNothing: true,
    plugins: trivialPlugin,
    colour: "#8250df",
  },
  plugin: { program: "plugin", floor: "plugin-floor", plugins: () => nodeBin, colour: "#bc4c00" },
  "yaml-floor": {
    program: "declared",
    language: "yaml",
    floor: "yaml-floor",
    asksNothing: true,
    plugins: trivialPlugin,
    colour: "#57606a",
  },
  yaml: {
    program: "declared",
    language: "yaml",
    floor: "yaml-floor",
    plugins: () => nodeBin,
    colour: "#9a6700",
  },
  "python-floor": {
    program: "declared",
    language: "python",
    floor: "python-floor",
    asksNothing: true,
    plugins: trivialPlugin,
    needed: pythonPackage,
    colour: "#8c959f",
  },
  python: {
    program: "declared",
    language: "python",
    floor: "python-floor",
    plugins: () => nodeBin,
    needed: pythonPackage,
    colour: "#cf222e",
  },
};

export const NAMES = Object.keys(CANDIDATES);
