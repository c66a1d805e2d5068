/**
 * Measures how many small faults the tests find. `npm run test:mutation` covers the client, the comparison and the
 * journal; `npm run test:mutation -- retry moment` covers the files whose names contain these words.
 *
 * `--sample 400 --seed 7` takes 400 random faults from all of provider/ instead, and runs all unit tests that reach
 * each fault. A seed always gives the same faults, and a larger sample starts with the smaller sample of that seed.
 *
 * `--resume` keeps the results of an earlier run of the same sources. `--jobs N` tests N faults at once.
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { cache as below, fail, root, Stop } from "../steps.mjs";
import { measureFiles } from "./files.mjs";
import { fingerprintOf } from "./results.mjs";
import { measureSample } from "./sample.mjs";

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    resume: { type: "boolean", default: false },
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});

function number(flag, least) {
  const value = Number(options[flag]);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Stop(`--${flag}: got ${options[flag]}; allowed: integers of at least ${least}`);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());

async function measure() {
  const cache = path.join(below, "mutation");
  const { resume } = options;
  const run = {
    root,
    cache,
    fingerprint: fingerprintOf(root),
    resume,
    jobs: number("jobs", 1),
    signal: stop.signal,
  };
  if (options.sample === undefined) return measureFiles({ ...run, words });
  return measureSample({ ...run, count: number("sample", 1), seed: number("seed", 0) });
}

const begun = Date.now();
try {
  const isGood = await measure();
  console.log(`${Math.round((Date.now() - begun) / 1000)} s in all`);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  if (!stop.signal.aborted) fail(error);
}
if (stop.signal.aborted) {
  console.log("interrupted: the same command with --resume goes on");
  process.exitCode = 130;
}
