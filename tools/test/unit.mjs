// `npm run test:unit [-- jest's arguments]`: runs the tests that need no Pulumi CLI, for quick runs after each edit.
// Before the tests, this builds everything that the tests run.
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { runInForeground } from "../foreground.mjs";
import { fail, pinnedNode, root } from "../steps.mjs";

try {
  ensureInstalled();
  ensureBuilt();
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [jest, "--config", "tools/test/jest.unit.cjs", ...process.argv.slice(2)];
  process.exitCode = await runInForeground(pinnedNode, args, {
    cwd: root,
    env: process.env,
    descendantsToo: true,
  });
} catch (error) {
  fail(error);
}
