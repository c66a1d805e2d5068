/** The mutants of provider/, a random sample of them, and the sources with the sampled mutants. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { placed } from "./mutate.mjs";

const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };

/** Every mutant of provider/, always in the same order. */
export async function allMutants(root) {
  const names = readdirSync(path.join(root, "provider"), { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => path.posix.join("provider", name));
  const { mutants } = await instrumented(root, files.sort(), () => true);
  return mutants;
}

/**
 * The files of these mutants as `{name, content}`, and the mutants in them. The `id` that a mutant gets here switches
 * the mutant on.
 */
export async function sourcesOf(root, mutants) {
  const rangesIn = (file) => mutants.filter((mutant) => mutant.file === file).map(({ location }) => location);
  const files = [...new Set(mutants.map(({ file }) => file))].sort();
  const instrumentation = await instrumented(root, files, rangesIn);
  const keys = new Set(mutants.map(({ key }) => key));
  // The range of one mutant may contain other mutants.
  return {
    files: instrumentation.files,
    mutants: instrumentation.mutants.filter(({ key }) => keys.has(key)),
  };
}

/** `rangesIn` returns the ranges of a file that are mutated, or true for the whole file. */
async function instrumented(root, names, rangesIn) {
  const files = names.map((name) => ({
    name,
    content: readFileSync(path.join(root, name), "utf8"),
    mutate: rangesIn(name),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const instrumentation = await new Instrumenter(silent).instrument(files, options);
  return { files: instrumentation.files, mutants: instrumentation.mutants.map(asMutant) };
}

function asMutant({ id, fileName: file, location, mutatorName, replacement }) {
  const { start, end } = location;
  const place = [start.line, start.column, end.line, end.column].join(":");
  return {
    id,
    file,
    location,
    mutatorName,
    replacement,
    key: [file, place, mutatorName, replacement].join(" "),
  };
}

/** A mutant's place and change, as a line. */
export function lineOf(root, { file, location, ...change }) {
  const counted = ({ line, column }) => ({ line: line + 1, column: column + 1 });
  const place = { start: counted(location.start), end: counted(location.end) };
  return placed(file, readFileSync(path.join(root, file), "utf8"), { ...change, location: place });
}

/** A random choice of `count` mutants; each mutant has the same chance. The same seed gives the same mutants. */
export function drawn(mutants, count, seed) {
  const random = randomNumbers(seed);
  const candidates = [...mutants];
  return Array.from(
    { length: Math.min(count, candidates.length) },
    () => candidates.splice(Math.floor(random() * candidates.length), 1)[0],
  );
}

/** Random numbers from 0 up to 1, by mulberry32. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
