// Checks the packed package: its form and its size.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { root, Stop } from "../steps.mjs";
import { output, run } from "./running.mjs";

// Limits in bytes. The packed size leaves out the plugin's bundle, whose size depends on the bundled
// packages. The package has the provider twice: as one file, and as separate files for the testing kit and the
// commands.
const limits = { "packed without the plugin": 600_000, "own files": 3_900_000, installed: 12_000_000 };

let packing;
/** The package that npm makes from this checkout: its path and size. */
function packed() {
  if (!packing) {
    fs.mkdirSync(output, { recursive: true });
    const [made] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", output]));
    packing = { ...made, file: path.join(output, made.filename) };
  }
  return packing;
}

/** Finds faults in the package that would break a bundler or Node. */
export function publint() {
  run("publint", ["run", packed().file, "--strict", "--level", "suggestion"]);
  return "no message";
}

/** Checks for each entry, in every resolution mode, that TypeScript's types match the code that Node runs. */
export function attw() {
  run("attw", [packed().file]);
  return "no problem for any entry";
}

export function size() {
  const plugin = fs.readFileSync(path.join(root, "dist/plugin/pulumi-resource-deployment-control"));
  const sizes = {
    "packed without the plugin": packed().size - gzipSync(plugin, { level: 9 }).length,
    "own files": packed().unpackedSize,
    installed: installedSize(),
  };
  const tooLarge = Object.entries(sizes).filter(([name, bytes]) => bytes > limits[name]);
  if (tooLarge.length === 0)
    return Object.entries(sizes)
      .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(2)} MB`)
      .join(", ");
  throw new Stop(
    tooLarge.map(([name, bytes]) => `${name}: ${bytes} bytes, allowed: ${limits[name]}`).join("\n"),
  );
}

/** How many bytes the package adds to a program that already has Pulumi's SDK. */
function installedSize() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-size-"));
  try {
    const options = ["--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    run("npm", ["install", ...options, packed().file], { cwd: folder });
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
