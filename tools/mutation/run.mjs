/**
 * Measures how many small faults in the client, the comparison and the journal the tests find: `npm run test:mutation`, or
 * `npm run test:mutation -- retry quota` for the files of those names. Each file runs with its own
 * tests alone (`tests.mjs`), since every mutant costs one run of them.
 *
 * `--resume` keeps the results of an earlier run of the same sources. `--jobs N` mutates N files at once.
 */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mutate } from "./mutate.mjs";
import { fingerprintOf, percent, readResults, shown, tableOf, writeResults } from "./results.mjs";
import { mutatedFiles, testsOf } from "./tests.mjs";

const LOWEST = 85;
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const cache = path.join(root, ".cache", "mutation");
const results = path.join(cache, "results.json");
const fingerprint = fingerprintOf(root);
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    resume: { type: "boolean", default: false },
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
  },
});

const table = mutatedFiles(root).map((file) => [file, testsOf(root, file)]);
const chosen = table.filter(([file]) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
const known = readResults(results, fingerprint);
const scores = Object.fromEntries(
  chosen
    .filter(([file]) => options.resume && known[file]?.all !== undefined)
    .map(([file]) => [file, known[file]]),
);
const open = chosen.filter(([file]) => scores[file] === undefined);
const sizeOf = (files) => files.reduce((sum, [file]) => sum + statSync(path.join(root, file)).size, 0);
const begun = Date.now();
const whole = sizeOf(open);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());

/** A file's score. On a busy machine a test may fail without any mutant: then it tries once more. */
async function scoreOf(folder, [file, tests]) {
  const started = Date.now();
  let outcome = { words: "" };
  for (let tries = 0; tries < 2 && outcome.all === undefined && !stop.signal.aborted; tries += 1)
    outcome = await mutate(root, folder, file, tests, stop.signal);
  return { ...outcome, seconds: Math.round((Date.now() - started) / 1000) };
}

/** Estimated from the share of the sources that is done. */
function timeLeft() {
  const left = sizeOf(open.filter(([file]) => scores[file] === undefined));
  const seconds = ((Date.now() - begun) / 1000) * (left / (whole - left));
  return left === 0 ? "" : `; about ${Math.ceil(seconds / 60)} min left`;
}

function tell(file, { survivors = [], words = "", ...score }) {
  scores[file] = score;
  writeResults(results, fingerprint, { ...known, ...scores });
  const counts = score.all === undefined ? "" : ` (${score.found}/${score.all})`;
  const place = `[${Object.keys(scores).length}/${chosen.length}]`;
  console.log(`${place} ${file}: ${shown(score)}${counts} in ${score.seconds} s${timeLeft()}`);
  for (const line of [...survivors, ...words.split("\n").filter(Boolean)]) console.log(`    ${line}`);
}

async function work(job) {
  const folder = path.join(cache, `${process.pid}-${job}`);
  mkdirSync(folder, { recursive: true });
  try {
    for (let next = queue.shift(); next !== undefined && !stop.signal.aborted; next = queue.shift()) {
      const outcome = await scoreOf(folder, next);
      if (!stop.signal.aborted) tell(next[0], outcome);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const queue = [...open];
await Promise.all(Array.from({ length: Number(options.jobs) || 1 }, (_, job) => work(job)));
const ordered = Object.fromEntries(
  chosen.filter(([file]) => scores[file]).map(([file]) => [file, scores[file]]),
);
console.log(`\n${tableOf(ordered)}`);
console.log(`${Math.round((Date.now() - begun) / 1000)} s in all`);
if (stop.signal.aborted) console.log("interrupted: npm run test:mutation -- --resume goes on");
const low = Object.entries(ordered).filter(([, score]) => !(percent(score) >= LOWEST));
for (const [file, score] of low) console.log(`below ${LOWEST} %: ${file} (${shown(score)})`);
const isGood = Object.keys(ordered).length === chosen.length && chosen.length > 0 && low.length === 0;
process.exitCode = stop.signal.aborted ? 130 : isGood ? 0 : 1;
