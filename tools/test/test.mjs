// `npm test [-- --part PART] [jest's arguments]`: sets up what the tests need, then runs the tests. Without a
// PART, the engine suites and fault suites run only some of their tests, and some suites do not run. A named
// suite runs in full, unless it is a fault suite. The last line shows the totals.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { runInForeground } from "../foreground.mjs";
import { cache, fail, pinnedNode, root, Stop, say } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findHost } from "../toolchain/hosts.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";

// The suites of each part. jest.config.js and the suites read TEST_PART to know which suites run in full.
const parts = {
  // The tests that need no Pulumi CLI, with fewer random cases, for quick runs after each edit.
  unit: [],
  engine: ["--selectProjects", "dynamic", "--", "test/engine", "test/examples"],
  plugin: ["--selectProjects", "plugin", "--", "test/engine", "test/languages"],
  faults: ["test/faults"],
  installed: ["test/release/installed"],
  agreement: ["test/agreement"],
  all: [],
};
const program = (...place) => path.join(root, "node_modules", ...place);

const home = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-test-"));
const results = path.join(home, "results.json");
const [isPart, part, ...others] = process.argv[2] === "--part" ? process.argv.slice(2) : [];
const runnerArguments = isPart ? others : process.argv.slice(2);
try {
  ensureInstalled();
  if (part === "mutation") {
    await run([
      program("@stryker-mutator", "core", "bin", "stryker.js"),
      "run",
      "tools/mutation/stryker.config.mjs",
      ...runnerArguments,
    ]);
  } else {
    if (isPart && !parts[part])
      throw new Stop(`no such part: ${part}; known: ${Object.keys(parts).join(", ")}, mutation`);
    ensureBuilt();
    const isNarrower = runnerArguments.some((argument) => argument.startsWith("test/"));
    const env = { ...environment(isNarrower), TEST_PART: part ?? (isNarrower ? "named" : "short") };
    const chosen = isPart && !isNarrower ? parts[part] : [];
    await run(
      [program("jest", "bin", "jest.js"), "--json", `--outputFile=${results}`, ...runnerArguments, ...chosen],
      env,
    );
  }
} catch (error) {
  fail(error);
} finally {
  const summary = totals(process.exitCode);
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  if (part !== "mutation") process.stdout.write(`${summary}\n`);
}

async function run(args, env = process.env) {
  process.exitCode = await runInForeground(pinnedNode, args, { cwd: root, env, descendantsToo: true });
}

function environment(isNarrower) {
  if (part === "unit") return process.env;
  const { bin, version, origin } = findPulumi();
  say(`Pulumi CLI ${version} (${origin}): ${bin}`);
  // A build during the tests would slow them down, so the hosts are built now. If the command names only some
  // tests, each test builds the host that it needs.
  if (["plugin", "all"].includes(part) && !isNarrower)
    for (const language of ["python", "yaml", "java"]) findHost(language);
  const agreement = ["agreement", "all"].includes(part) ? { AGREEMENT: "500", ROADS: "300" } : {};
  // Each run of the CLI starts two or three Node processes. Without this cache, they spend half of their time
  // on compiling.
  const NODE_COMPILE_CACHE = path.join(cache, "compile");
  return { ...agreement, ...pulumiEnvironment(home), NODE_COMPILE_CACHE, DEPLOYMENT_CONTROL_TEST_BIN: bin };
}

function totals(exitCode) {
  const run = fs.existsSync(results) ? JSON.parse(fs.readFileSync(results, "utf8")) : { testResults: [] };
  const tests = run.testResults.flatMap((suite) => suite.assertionResults);
  const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
  // A suite that could not be loaded, or whose afterAll failed, has no failed test. It counts as one failure.
  const broken = run.testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed"),
  );
  // An interrupted run, or a run without tests, may have no failed test. A bad exit code still counts as a
  // failure.
  const failed = Math.max(count("failed") + broken.length, exitCode ? 1 : 0);
  const skipped = count("pending", "skipped", "todo", "disabled");
  // Programs read the last line, whose form is fixed. Skipped tests therefore get a separate line.
  return `${skipped ? `${skipped} skipped\n` : ""}${count("passed")} passed, ${failed} failed`;
}
