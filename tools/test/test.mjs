// `npm test [-- jest's arguments]`: sets up everything that the tests need, then runs the tests. With `--engine`,
// `--faults`, `--plugin`, `--installed` or `--agreement`, only that part runs, and in full. The last line shows the
// totals.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { runInForeground } from "../foreground.mjs";
import { fail, pinnedNode, root, say } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findHost } from "../toolchain/hosts.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";

const { AGREEMENT = "500", ROADS = "300", AGREEMENT_FORM = "dynamic" } = process.env;

// Suites that take too long for every run, and the variables that make them run in full; see jest.config.js, the fault
// suites and the agreement tests.
const parts = {
  "--engine": {
    variables: { DEPLOYMENT_CONTROL_ENGINE: "whole" },
    tests: ["test/engine/[^/]+$", "test/examples"],
  },
  "--faults": { variables: { DEPLOYMENT_CONTROL_FAULTS: "whole" }, tests: ["test/faults"] },
  "--plugin": {
    variables: { DEPLOYMENT_CONTROL_PLUGIN: "whole" },
    tests: ["test/engine/plugin", "test/languages"],
  },
  "--installed": { variables: { DEPLOYMENT_CONTROL_INSTALLED: "whole" }, tests: ["test/release/installed"] },
  "--agreement": { variables: { AGREEMENT, ROADS, FORM: AGREEMENT_FORM }, tests: ["test/agreement"] },
};

const home = fs.mkdtempSync(path.join(os.tmpdir(), "deployment-control-test-"));
const results = path.join(home, "results.json");
try {
  ensureInstalled();
  ensureBuilt();
  const { bin, version, origin } = findPulumi();
  say(`Pulumi CLI ${version} (${origin}): ${bin}`);
  const commandArguments = process.argv.slice(2);
  const part = parts[commandArguments[0]];
  const isNarrower = commandArguments.some((argument) => argument.startsWith("test/"));
  // Builds the hosts now, because a build during the tests would slow them down. If the command gives only some tests,
  // no host is built now: each of these tests builds the host that it needs.
  if (part === parts["--plugin"] && !isNarrower)
    for (const language of ["python", "yaml", "java"]) findHost(language);
  // If the command names a suite, the suite runs in full, except the fault suites and the agreement tests.
  const named = isNarrower ? [parts["--engine"], parts["--plugin"], parts["--installed"]] : [];
  const variables = [...named, ...(part ? [part] : [])].map((each) => each.variables);
  const env = Object.assign(pulumiEnvironment(home), { DEPLOYMENT_CONTROL_TEST_BIN: bin }, ...variables);
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [
    jest,
    ...(part && !isNarrower ? part.tests : []),
    ...(part ? commandArguments.slice(1) : commandArguments),
    "--json",
    `--outputFile=${results}`,
  ];
  process.exitCode = await runInForeground(pinnedNode, args, { cwd: root, env, descendantsToo: true });
} catch (error) {
  fail(error);
} finally {
  const summary = totals(process.exitCode);
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  process.stdout.write(`${summary}\n`);
}

function totals(exitCode) {
  const run = fs.existsSync(results) ? JSON.parse(fs.readFileSync(results, "utf8")) : { testResults: [] };
  const tests = run.testResults.flatMap((suite) => suite.assertionResults);
  const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length;
  // A suite that could not be loaded, or whose afterAll failed, has no failed test, but counts as one failure.
  const broken = run.testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed"),
  );
  // A run that was interrupted, or that found no tests, may have no failed test. Even so, if the exit code is bad, at
  // least one failure is counted.
  const failed = Math.max(count("failed") + broken.length, exitCode ? 1 : 0);
  const skipped = count("pending", "skipped", "todo", "disabled");
  // Skipped tests get a separate line, because programs read the last line, whose form is fixed.
  return `${skipped ? `${skipped} skipped\n` : ""}${count("passed")} passed, ${failed} failed`;
}
