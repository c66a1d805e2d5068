/**
 * Mutates whole files. Each mutant runs only the tests of its own file (`tests.mjs`), because running all tests for
 * each would take too long.
 */
import { mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { mutate } from "./mutate.mjs";
import { percent, readResults, shown, tableOf, writeResults } from "./results.mjs";
import { mutatedFiles, testsOf } from "./tests.mjs";

const LOWEST = 85;

/** Whether the tests find enough of the mutants in each file whose name contains one of these words. */
export async function measureFiles({ root, cache, fingerprint, words: wanted, resume, jobs, signal }) {
  const results = path.join(cache, "results.json");
  const table = mutatedFiles(root).map((file) => [file, testsOf(root, file)]);
  const chosen = table.filter(([file]) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
  const scoresBefore = readResults(results, fingerprint);
  const scores = Object.fromEntries(
    chosen
      .filter(([file]) => resume && scoresBefore[file]?.all !== undefined)
      .map(([file]) => [file, scoresBefore[file]]),
  );
  const open = chosen.filter(([file]) => scores[file] === undefined);
  const sizeOf = (files) => files.reduce((sum, [file]) => sum + statSync(path.join(root, file)).size, 0);
  const begun = Date.now();
  const whole = sizeOf(open);

  /** A file's score. On a busy machine a test may fail without any mutant, so a failed run is repeated once. */
  async function scoreOf(folder, [file, tests]) {
    const started = Date.now();
    let outcome = { words: "" };
    for (let tries = 0; tries < 2 && outcome.all === undefined && !signal.aborted; tries += 1)
      outcome = await mutate(root, folder, file, tests, signal);
    return { ...outcome, seconds: Math.round((Date.now() - started) / 1000) };
  }

  /** Estimates the time left from the share of the sources that has been measured. */
  function timeLeft() {
    const remainingSize = sizeOf(open.filter(([file]) => scores[file] === undefined));
    const seconds = ((Date.now() - begun) / 1000) * (remainingSize / (whole - remainingSize));
    return remainingSize === 0 ? "" : `; about ${Math.ceil(seconds / 60)} min left`;
  }

  function tell(file, { survivors = [], words = "", ...score }) {
    scores[file] = score;
    writeResults(results, fingerprint, { ...scoresBefore, ...scores });
    const counts = score.all === undefined ? "" : ` (${score.found}/${score.all})`;
    const place = `[${Object.keys(scores).length}/${chosen.length}]`;
    console.log(`${place} ${file}: ${shown(score)}${counts} in ${score.seconds} s${timeLeft()}`);
    for (const line of [...survivors, ...words.split("\n").filter(Boolean)]) console.log(`    ${line}`);
  }

  const queue = [...open];
  async function work(job) {
    const folder = path.join(cache, `${process.pid}-${job}`);
    mkdirSync(folder, { recursive: true });
    try {
      for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift()) {
        const outcome = await scoreOf(folder, next);
        if (!signal.aborted) tell(next[0], outcome);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  const ordered = Object.fromEntries(
    chosen.filter(([file]) => scores[file]).map(([file]) => [file, scores[file]]),
  );
  console.log(`\n${tableOf(ordered)}`);
  const low = Object.entries(ordered).filter(([, score]) => !(percent(score) >= LOWEST));
  for (const [file, score] of low) console.log(`below ${LOWEST} %: ${file} (${shown(score)})`);
  return Object.keys(ordered).length === chosen.length && chosen.length > 0 && low.length === 0;
}
