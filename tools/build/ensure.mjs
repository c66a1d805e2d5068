// Installs the dependencies and builds dist if needed: `node ensure.mjs installed|built|rebuilt`. Needs no
// installed package, and runs on Node 20 and later.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import {
  asProgram,
  cache,
  isWindows,
  nodeBin,
  pathFolders,
  pinnedNode,
  root,
  runQuietly,
  Stop,
  say,
  script,
  step,
  withLock,
} from "../steps.mjs";
import { filesIn, fillDist } from "./contents.mjs";

/** Runs `npm ci` unless node_modules matches package-lock.json. */
export function ensureInstalled() {
  if (isInstalled()) return;
  withLock("install", () => {
    if (isInstalled()) return;
    step("installing the npm packages", "20 to 60 s", install);
    if (!isInstalled()) throw new Stop("npm ran, yet node_modules is not what package-lock.json describes");
  });
}

// `always` overrides the user's npm settings that would leave out or refuse packages. `quiet` hides npm's
// warnings.
const always = ["--include=dev", "--include=optional", "--ignore-scripts=false", "--engine-strict=false"];
const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

function install() {
  const npm = (...args) =>
    runQuietly("npm", [...args, ...always, ...quiet], { cwd: root, env: npmEnvironment() });
  try {
    npm("ci");
  } catch (error) {
    // The lock file lacks packages for other platforms, because npm drops an optional package that the
    // configured registry lacks. `npm install` still installs the versions in the lock file.
    if (!(error instanceof Stop) || !error.message.includes("EUSAGE")) throw error;
    say("package-lock.json is incomplete, npm ci refuses it: npm install instead");
    npm("install", "--no-save");
  }
}

// `npm ci` deletes node_modules, which contains the pinned Node, so npm must run on a different Node.
function npmEnvironment() {
  const PATH = pathFolders().filter((folder) => !folder.startsWith(path.join(root, "node_modules")));
  return { ...process.env, PATH: PATH.join(path.delimiter) };
}

// Compares contents, not times. A checkout gives files new times, and npm writes its two lock files in no
// fixed order.
function isInstalled() {
  const lockedPackages = readPackages("package-lock.json");
  const present = readPackages("node_modules/.package-lock.json");
  if (!lockedPackages) throw new Stop("package-lock.json is missing: run npm install once");
  if (!present || !fs.existsSync(pinnedNode)) return false;
  return Object.entries(lockedPackages).every(([where, entry]) => {
    if (where === "") return true;
    const presentVersion = present[where];
    if (!presentVersion) return Boolean(entry.optional || entry.devOptional || entry.peer);
    return presentVersion.version === entry.version && presentVersion.integrity === entry.integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

const stamp = path.join(root, "dist", ".built");
const compiled = path.join(cache, "compiled");
const plugin = path.join(root, "dist", "plugin", "pulumi-resource-deployment-control");
const [bundler, licences] = ["bundle.mjs", "licences.mjs"].map((file) =>
  path.join(root, "tools", "build", file),
);
const ownCommands = [
  [path.join(nodeBin, "deployment-control"), path.join(root, "dist", "sdk", "cli", "main.js")],
  [path.join(nodeBin, "pulumi-resource-deployment-control"), plugin],
];

/** Builds dist, unless dist was made from exactly these sources. */
export function ensureBuilt({ again = false } = {}) {
  if (!again && isBuilt()) return;
  withLock("build", () => {
    if (!again && isBuilt()) return;
    // The fingerprint is taken before the build, so that the next call builds any edits made during this build.
    const sources = fingerprint();
    if (again) fs.rmSync(compiled, { recursive: true, force: true });
    step("compiling provider/ and sdk/ into dist/", "5 to 15 s", compile);
    carryProvider();
    fillDist(compiled);
    bundle();
    fs.writeFileSync(stamp, sources);
    for (const [command, target] of ownCommands) linkOwnCommand(command, target);
  });
}

// npm links the commands of dependencies, but not the project's own commands. Windows rarely allows links, so on
// Windows this function writes the two files that npm would write.
export function linkOwnCommand(command, target) {
  const place = path.relative(path.dirname(command), target);
  fs.chmodSync(target, 0o755);
  fs.rmSync(command, { force: true });
  if (!isWindows) return fs.symlinkSync(place, command);
  fs.writeFileSync(command, `#!/usr/bin/env node\nrequire(${JSON.stringify(target)});\n`);
  fs.writeFileSync(script(command), `@node "%~dp0${place}" %*\r\n`);
}

function bundle() {
  runQuietly(pinnedNode, [bundler, "plugin", "sdk/cli/plugin.ts", plugin], { cwd: root });
}

// Bundles the provider, because each file that a run loads takes a fraction of a millisecond, and zod has 95 files.
function carryProvider() {
  const file = path.join("provider", "index");
  runQuietly(pinnedNode, [bundler, "provider", `${file}.ts`, path.join(compiled, `${file}.js`)], {
    cwd: root,
  });
}

function compile() {
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
  runQuietly(pinnedNode, [compiler, "-p", "tsconfig.build.json", "--pretty", "false"], { cwd: root });
}

function isBuilt() {
  // A new node_modules lacks the links of the project's own commands.
  const isLinked = ownCommands.every(([command]) => fs.existsSync(script(command)));
  return isLinked && fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === fingerprint();
}

function fingerprint() {
  const configuration = [
    "tsconfig.json",
    "tsconfig.build.json",
    "tools/build/contents.mjs",
    "node_modules/typescript/package.json",
    "package.json",
  ];
  const sources = ["provider", "sdk"].flatMap((folder) =>
    filesIn(path.join(root, folder)).map((file) => path.join(folder, file)),
  );
  const files = [bundler, licences, ...[...configuration, ...sources].map((file) => path.join(root, file))];
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const { mtimeMs, size } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
    hash.update(`${path.relative(root, file)} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex");
}

asProgram(import.meta.url, (state = "built") => {
  ensureInstalled();
  if (state !== "installed") ensureBuilt({ again: state === "rebuilt" });
});
