// Checks the packed package: its form, its files and its size.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { root, Stop } from "../steps.mjs";
import { here, output, run } from "./running.mjs";

// Limits in bytes. The plugin's bundle is for programs in other languages, and its size depends on the bundled
// packages. The provider is in the package twice: as one file, and as the files for the testing kit and the commands.
const limits = { "packed without the plugin": 600_000, "own files": 3_900_000, installed: 12_000_000 };

const recording = path.join(here, "packed.txt");

let packing;
/** The package that npm makes from this checkout: its path, size and files. */
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

export function files() {
  const now = namesOf(fileList());
  const recorded = namesOf(fs.readFileSync(recording, "utf8"));
  const difference = [
    ...now.filter((file) => !recorded.includes(file)).map((file) => `+ ${file}`),
    ...recorded.filter((file) => !now.includes(file)).map((file) => `- ${file}`),
  ];
  if (difference.length === 0) return `${now.length}, as recorded`;
  const remedy = "if they are meant: npm run release:check -- --record";
  throw new Stop([`the package has other files than recorded; ${remedy}`, ...difference].join("\n"));
}

export function recordFiles() {
  fs.writeFileSync(recording, fileList());
  return recording;
}

const fileList = () =>
  packed()
    .files.map((file) => `${file.path}\n`)
    .sort()
    .join("");
const namesOf = (text) => text.split("\n").filter(Boolean);

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

/** The bytes that the installed package adds to a program that already has Pulumi's SDK. */
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
