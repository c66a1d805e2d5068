// `npm run --silent pulumi -- ARGS`: the CLI that the project found, with the user's own login, backend and settings.
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { pulumiPath } from "./environment.mjs";
import { runInForeground } from "./foreground.mjs";
import { findPulumi } from "./pulumi.mjs";
import { executable, fail } from "./steps.mjs";

try {
  ensureInstalled();
  ensureBuilt();
  const pulumi = path.join(findPulumi().bin, executable("pulumi"));
  // npm moves to the project's root; the user meant the folder that they are in.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const env = { ...process.env, PATH: pulumiPath(), PWD: cwd };
  process.exitCode = await runInForeground(pulumi, process.argv.slice(2), { cwd, env });
} catch (error) {
  fail(error);
}
