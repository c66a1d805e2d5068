// `npm run test:unit [-- jest's arguments]`: the tests that need no Pulumi CLI, for the inner loop. First builds
// everything that they run.
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
