// `npm run guides [-- --check] [NAME …]` and `npm run picture`: sets up what they need, then really runs each guide, or
// makes the picture of the report.
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { runInForeground } from "../foreground.mjs";
import { fail, pinnedNode, root } from "../steps.mjs";
import { pulumiPath } from "../toolchain/environment.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";

try {
  ensureInstalled();
  ensureBuilt();
  findPulumi();
  const [what, ...given] = process.argv.slice(2);
  const script = path.join(
    "tools",
    "docs",
    what === "picture" ? "picture.ts" : path.join("guides", "write.ts"),
  );
  const args = ["-r", "ts-node/register/transpile-only", script, ...given];
  const env = { ...process.env, PATH: pulumiPath() };
  process.exitCode = await runInForeground(pinnedNode, args, { cwd: root, env, descendantsToo: true });
} catch (error) {
  fail(error);
}
