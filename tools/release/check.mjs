// `npm run release:check [-- STEP …]`: checks step by step whether this checkout can be released. Without a
// STEP, all steps run.
import fs from "node:fs";
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { fail, root, Stop, say } from "../steps.mjs";
import { newestEntry } from "./changelog.mjs";
import { licences, sbom, signatures } from "./dependencies.mjs";
import { attw, publint, size } from "./package.mjs";
import { here, manifest, output, run } from "./running.mjs";

function tree() {
  const changes = run("git", ["status", "--porcelain"]).trim();
  if (changes) throw new Stop(`changes that are not committed:\n${changes}`);
  return "clean";
}

function version() {
  const newest = newestEntry().version;
  if (newest !== manifest.version)
    throw new Stop(`package.json says ${manifest.version}, the newest entry of CHANGELOG.md is ${newest}`);
  const surface = path.join(root, "test", "release", "surface.json");
  const recorded = fs.existsSync(surface)
    ? JSON.parse(fs.readFileSync(surface, "utf8")).version
    : "no version";
  if (recorded !== newest)
    throw new Stop(
      `${surface} is of ${recorded}: RECORD_SURFACE=1 npx --no-install jest test/release/surface`,
    );
  const tag = run("git", ["tag", "--list", `v${newest}`, "--format", "%(objectname) %(*objectname)"]).trim();
  const head = run("git", ["rev-parse", "HEAD"]).trim();
  if (tag && !tag.split(" ").includes(head))
    throw new Stop(`v${newest} is already the tag of another commit`);
  return newest;
}

// The last line of the tests' output has the totals.
const script =
  (...args) =>
  () =>
    run("npm", ["run", "--silent", ...args])
      .trim()
      .split("\n")
      .at(-1) || "passed";
const part = (name) => script("test", "--", "--part", name);

// The quick steps come first.
const steps = {
  tree,
  version,
  publint,
  attw,
  size,
  licences,
  signatures,
  sbom,
  archives: () => run(process.execPath, [path.join(here, "archives.mjs"), output]) || output,
  lint: script("lint"),
  installed: part("installed"),
  tests: script("test"),
  engine: part("engine"),
  plugin: part("plugin"),
};

/** Runs all steps even if some fail, so that one run shows everything that is missing for a release. */
function check(names) {
  const failed = [];
  for (const name of names) {
    if (!steps[name]) throw new Stop(`no such step: ${name}; known: ${Object.keys(steps).join(", ")}`);
    const began = Date.now();
    try {
      const summary = steps[name]();
      say(`ok      ${name}: ${summary} (${((Date.now() - began) / 1000).toFixed(0)} s)`);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      failed.push(name);
      say(`FAILED  ${name}: ${error.message}`);
    }
  }
  if (failed.length > 0) throw new Stop(`this checkout cannot be released: ${failed.join(", ")}`);
}

try {
  ensureInstalled();
  ensureBuilt();
  const stepNames = process.argv.slice(2);
  check(stepNames.length > 0 ? stepNames : Object.keys(steps));
} catch (error) {
  fail(error);
}
