// `npm run guides [-- --check] [NAME …]` and `npm run picture`: installs and builds everything that the
// guides need. Then runs each guide, or makes the picture of the report.
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
  const [subject, ...options] = process.argv.slice(2);
  const script = path.join(
    "tools",
    "docs",
    subject === "picture" ? "picture.ts" : path.join("guides", "write.ts"),
  );
  const args = ["-r", "ts-node/register/transpile-only", script, ...options];
  const env = { ...process.env, PATH: pulumiPath() };
  process.exitCode = await runInForeground(pinnedNode, args, { cwd: root, env, descendantsToo: true });
} catch (error) {
  fail(error);
}
