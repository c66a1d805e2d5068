// What is measured beside each other. One more is one more row.
import fs from "node:fs";
import path from "node:path";
import { cache, nodeBin, pinnedNode, root, runQuietly } from "../toolchain/steps.mjs";

/**
 * `program`: the file in programs/ that declares the deployments. `floor`: the candidate that costs the least that any
 * provider in this form can. `asksNothing`: the latency of the service is nothing to it. `plugins()`: the folder with the
 * plugin that the program needs. `language`: what runs the program, `nodejs` unless said.
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
};

export const NAMES = Object.keys(CANDIDATES);

let made;

/** Folder of the trivial plugin, made as ours is. */
function trivialPlugin() {
  if (made !== undefined) return made;
  const folder = path.join(cache, "bench", "trivial-plugin");
  const file = path.join(folder, "pulumi-resource-deployment-control");
  const bundler = path.join(root, "test", "toolchain", "bundle.mjs");
  runQuietly(pinnedNode, [bundler, "test/bench/programs/trivialPlugin.js", file], { cwd: root });
  fs.chmodSync(file, 0o755);
  made = folder;
  return folder;
}
