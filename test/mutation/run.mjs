/**
 * How many small faults in the client, the comparison and the journal the tests find: `npm run test:mutation`, or
 * `npm run test:mutation -- retry quota` for the files of those names. Each file is run with the tests that concern
 * it alone (`tests.json`), since every mutant costs one run of them.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const LOWEST = 85;
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const stryker = path.join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
const report = path.join(root, ".cache", `mutation-${process.pid}.json`);
const table = Object.entries(JSON.parse(readFileSync(path.join(here, "tests.json"), "utf8")));

/** The words of the tool, and how many mutants were found of how many. */
function scoreOf(file, tests) {
  const run = spawnSync(
    process.execPath,
    [stryker, "run", "test/mutation/stryker.config.mjs", "--mutate", file],
    {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, MUTATION_TESTS: tests.join(","), MUTATION_REPORT: report },
    },
  );
  const words = run.stdout + run.stderr;
  if (run.status !== 0) return { words };
  const { mutants } = Object.values(JSON.parse(readFileSync(report, "utf8")).files)[0];
  rmSync(report);
  const counted = mutants.filter(({ status }) => !["Ignored", "RuntimeError"].includes(status));
  const found = counted.filter(({ status }) => ["Killed", "Timeout"].includes(status));
  return { words, all: counted.length, found: found.length };
}

const wanted = process.argv.slice(2);
const chosen = table.filter(([file]) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
const scores = [];
for (const [file, tests] of chosen) {
  const { words, all, found } = scoreOf(file, tests);
  const score = all === undefined ? Number.NaN : all === 0 ? 100 : (100 * found) / all;
  // Each survivor with its place, so that somebody can write the test that is missing.
  console.log(words.replace(/^\d\d:\d\d:\d\d .*\n/gm, ""));
  scores.push({ file, mutants: all, found, score: Math.round(score * 10) / 10 });
}
console.table(scores);
process.exitCode = scores.length > 0 && scores.every(({ score }) => score >= LOWEST) ? 0 : 1;
