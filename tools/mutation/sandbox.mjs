/** Copies the project with mutants, each switched on by an environment variable, and runs the copy's tests. */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pinnedNode } from "../steps.mjs";

const ACTIVE = "__STRYKER_ACTIVE_MUTANT__";
const LIMIT_FACTOR = 3;
const LIMIT_MS = 30_000;

let runs = 0;

/** Copies all files except those that git ignores, then overwrites the copies of the mutated files. */
export function makeSandbox(root, folder, files) {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const names = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const name of names.filter((each) => existsSync(path.join(root, each))))
    cpSync(path.join(root, name), path.join(folder, name));
  for (const name of ["node_modules", "dist"]) symlinkSync(path.join(root, name), path.join(folder, name));
  for (const { name, content } of files) writeFileSync(path.join(folder, name), content);
}

/**
 * The test files that pass when no mutant is on, as `{path, mutants, milliseconds}`, and the names of the other test
 * files.
 */
export async function unmutatedTests(folder, signal) {
  const first = await passing(folder, [], signal);
  // On a busy machine, a test may fail although it passes alone.
  const again = first.failing.length === 0 ? first : await passing(folder, first.failing, signal);
  const tests = new Map([...first.tests, ...again.tests].map((test) => [test.path, test]));
  return { tests: [...tests.values()], failing: again.failing.map((file) => path.relative(folder, file)) };
}

/** Runs these test files, or all if none is named. */
async function passing(folder, files, signal) {
  runs += 1;
  const [covered, report] = ["covered", "report"].map((name) => path.join(folder, `${name}-${runs}`));
  mkdirSync(covered);
  const args = [
    "--json",
    "--outputFile",
    report,
    ...(files.length > 0 ? ["--runTestsByPath", ...files] : []),
  ];
  const { words } = await jest(folder, args, { MUTATION_COVERAGE: covered }, signal);
  if (!existsSync(report)) throw new Error(`the tests do not run without a mutant:\n${words}`);
  const mutantsOf = new Map(
    readdirSync(covered)
      .map((name) => JSON.parse(readFileSync(path.join(covered, name), "utf8")))
      .map(({ testPath, mutants }) => [testPath, mutants]),
  );
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const isGood = ({ status }) => status === "passed";
  const tests = testResults.filter(isGood).map(({ name, startTime, endTime }) => ({
    path: name,
    mutants: mutantsOf.get(name) ?? [],
    milliseconds: endTime - startTime,
  }));
  return { tests, failing: testResults.filter((each) => !isGood(each)).map(({ name }) => name) };
}

/**
 * The tests' verdict on a mutant: `{status, by}`; `by` is the first test that failed. An interrupted run has no status.
 */
export async function statusOf(folder, { id }, tests, signal) {
  if (tests.length === 0) return { status: "NoCoverage" };
  const paths = tests.map((test) => test.path);
  const limit = LIMIT_MS + LIMIT_FACTOR * tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const environment = { [ACTIVE]: id, MUTATION_TESTS: paths.join(",") };
  const args = ["--runInBand", "--bail", "--runTestsByPath", ...paths];
  const { code, words, isLate } = await jest(folder, args, environment, signal, limit);
  if (signal.aborted) return {};
  if (isLate) return { status: "Timeout" };
  return code === 0 ? { status: "Survived" } : { status: "Killed", by: firstFailure(words) };
}

/** Returns the first failed test in jest's output, with its file; if no test failed, jest itself ended early. */
function firstFailure(words) {
  const [, file, test] = /^FAIL (\S+)[\s\S]*?^ +● (.+)$/m.exec(words) ?? [];
  return file === undefined ? "the end of the process" : `${file}: ${test}`;
}

/** Runs jest for at most `limit` milliseconds; returns its exit code and its output. */
function jest(folder, args, environment, signal, limit) {
  const program = path.join(folder, "node_modules", "jest", "bin", "jest.js");
  const config = path.join(folder, "tools", "mutation", "jest.sample.cjs");
  return processOf([program, "--config", config, "--silent", ...args], folder, environment, signal, limit);
}

/** Kills the process and all its children when the time limit has passed or the signal aborts. */
function processOf(args, cwd, environment, signal, limit) {
  const env = { ...process.env, ...environment };
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
    let isLate = false;
    let words = "";
    child.stderr.on("data", (part) => {
      words += part;
    });
    const kill = () => endGroup(child.pid);
    const late = () => {
      isLate = true;
      kill();
    };
    const timer = limit && setTimeout(late, limit);
    signal.addEventListener("abort", kill);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
      resolve({ code, words, isLate });
    });
  });
}

function endGroup(leader) {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The process has just ended by itself.
  }
}
