// `npm run --silent pulumi -- ARGS`: runs the project's CLI with the user's own login, backend and settings.
import fs from "node:fs";
import path from "node:path";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { runInForeground } from "../foreground.mjs";
import { executable, fail } from "../steps.mjs";
import { pulumiPath } from "./environment.mjs";
import { findHost } from "./hosts.mjs";
import { findPulumi } from "./pulumi.mjs";

try {
  ensureInstalled();
  ensureBuilt();
  const pulumi = path.join(findPulumi().bin, executable("pulumi"));
  // npm changes to the project's root, but the user expects the command to run in their current folder.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const PATH = [pulumiPath(), ...hostsOf(cwd)].join(path.delimiter);
  const env = { ...process.env, PATH, PWD: cwd };
  process.exitCode = await runInForeground(pulumi, process.argv.slice(2), { cwd, env });
} catch (error) {
  fail(error);
}

/** The folder of the host for a program in Python, YAML or Java, because the CLI's own folder may lack that host. */
function hostsOf(folder) {
  const project = path.join(folder, "Pulumi.yaml");
  const text = fs.existsSync(project) ? fs.readFileSync(project, "utf8") : "";
  const [, language] = /^runtime:(?:\s+name:)?\s*(python|yaml|java)\b/m.exec(text) ?? [];
  return language ? [findHost(language)] : [];
}
