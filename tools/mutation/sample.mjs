/** Measures how many mutants from a sample of all of provider/ the unit tests find. */
import { rmSync } from "node:fs";
import path from "node:path";
import { allMutants, drawn, lineOf, sourcesOf } from "./mutants.mjs";
import { aligned, percent, readResults, shown, writeResults } from "./results.mjs";
import { makeSandbox, statusOf, unmutatedTests } from "./sandbox.mjs";

const STATUSES = ["Killed", "Timeout", "Survived", "NoCoverage"];

/** True once each mutant of the sample has been tried. */
export async function measureSample({ root, cache, fingerprint, resume, jobs, signal, count, seed }) {
  const population = await allMutants(root);
  const sample = drawn(population, count, seed);
  console.log(
    `${sample.length} of the ${population.length} mutants of provider/, drawn with the seed ${seed}`,
  );
  const results = path.join(cache, `sample-${seed}.json`);
  const outcomes = resume ? readResults(results, fingerprint) : {};
  const open = sample.filter(({ key }) => outcomes[key] === undefined);

  const tell = (mutant, outcome) => {
    outcomes[mutant.key] = outcome;
    writeResults(results, fingerprint, outcomes);
    const done = sample.filter(({ key }) => outcomes[key] !== undefined).length;
    const { status, by, seconds } = outcome;
    const words = [`${status} in ${seconds} s`, by && `by ${by}`].filter(Boolean).join(" ");
    console.log(`[${done}/${sample.length}] ${lineOf(root, mutant)}: ${words}`);
  };
  if (open.length > 0) await tryEach({ root, cache, open, jobs, signal, tell });
  const tried = sample.filter(({ key }) => outcomes[key] !== undefined);
  console.log(`\n${summary(tried.map(({ file, key }) => ({ file, ...outcomes[key] })))}`);
  return tried.length === sample.length;
}

async function tryEach({ root, cache, open, jobs, signal, tell }) {
  const folder = path.join(cache, `sandbox-${process.pid}`);
  try {
    const { files, mutants } = await sourcesOf(root, open);
    makeSandbox(root, folder, files);
    const started = Date.now();
    const { tests, failing } = await unmutatedTests(folder, signal);
    console.log(`${tests.length} test files without a mutant: ${secondsSince(started)} s`);
    if (failing.length > 0) console.log(`left out, since they fail without a mutant: ${failing.join(", ")}`);
    const queue = [...mutants];
    const work = async () => {
      for (let mutant = queue.shift(); mutant !== undefined && !signal.aborted; mutant = queue.shift()) {
        const begun = Date.now();
        const outcome = await statusOf(folder, mutant, testsFor(mutant, tests), signal);
        if (!signal.aborted) tell(mutant, { ...outcome, seconds: secondsSince(begun) });
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const secondsSince = (started) => Math.round((Date.now() - started) / 1000);

/** The tests that reach the mutant: the tests of its file come first, then the quickest. */
function testsFor({ id, file }, tests) {
  const name = path.join("test", file.replace(/\.ts$/, "."));
  const isOwn = (test) => (test.path.includes(`${path.sep}${name}`) ? 0 : 1);
  return tests
    .filter(({ mutants }) => mutants.includes(id))
    .sort((one, other) => isOwn(one) - isOwn(other) || one.milliseconds - other.milliseconds);
}

/** A table by folder, the score of the sample, and the 95 % confidence interval for the score of all mutants. */
function summary(outcomes) {
  const folders = [...new Set(outcomes.map(({ file }) => folderOf(file)))].sort();
  const rows = folders.map((folder) => [folder, outcomes.filter(({ file }) => folderOf(file) === folder)]);
  const cells = ([folder, some]) => [
    folder,
    String(some.length),
    ...STATUSES.map((status) => String(some.filter((outcome) => outcome.status === status).length)),
    shown(scoreOf(some)),
  ];
  const head = ["folder", "mutants", "killed", "timeout", "survived", "no coverage", "score"];
  const share = percent(scoreOf(outcomes)) / 100;
  const margin = 100 * 1.96 * Math.sqrt((share * (1 - share)) / outcomes.length);
  return `${aligned([head, ...rows.map(cells), cells(["all", outcomes])])}\nscore ${shown(scoreOf(outcomes))}, give or take ${margin.toFixed(1)} points`;
}

const folderOf = (file) => path.posix.dirname(file).split("/").slice(0, 2).join("/");

const scoreOf = (outcomes) => ({
  all: outcomes.length,
  found: outcomes.filter(({ status }) => status === "Killed" || status === "Timeout").length,
});
