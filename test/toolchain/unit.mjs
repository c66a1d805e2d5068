// `npm run test:unit [-- jest's arguments]`: the tests that need no Pulumi CLI, for the inner loop. Builds what they run.
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { runInForeground } from "./foreground.mjs";
import { fail, pinnedNode, root } from "./steps.mjs";

/** What starts the real engine, or a browser. */
const SLOW = ["engine", "faults", "agreement", "examples"].map((folder) => `<rootDir>/test/${folder}/`);

try {
  ensureInstalled();
  ensureBuilt();
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const ignored = ["/node_modules/", "<rootDir>/dist/", "<rootDir>/.cache/", ...SLOW];
  const args = [
    jest,
    ...ignored.flatMap((pattern) => ["--testPathIgnorePatterns", pattern]),
    ...process.argv.slice(2),
  ];
  process.exitCode = await runInForeground(pinnedNode, args, {
    cwd: root,
    env: process.env,
    descendantsToo: true,
  });
} catch (error) {
  fail(error);
}
