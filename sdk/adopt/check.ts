/** Previews a project in a temporary stack, with the `pulumi` on the PATH, and lists the deployments that change. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { environmentName, PACKAGE } from "../../provider/schema/naming";
import { outputOf, pulumi } from "../processes";
import { evaluateOutput } from "../report/evaluate/evaluate";
import type { DeploymentReport, Report } from "../report/model";

const STACK = "adopt-check";
const QUIET = ["--non-interactive", "--color", "never"];

/** Previews the folder's project and returns the report. Throws an Error if there is no project or no report. */
export function previewOf(folder: string, environment: NodeJS.ProcessEnv): Report {
  const { name, runtime } = projectIn(folder);
  installIfNeeded(folder, runtime, environment);
  const scratch = mkdtempSync(path.join(os.tmpdir(), "deployment-control-adopt-"));
  try {
    mkdirSync(path.join(scratch, "state"));
    // `stack init` writes the stack's settings next to the project file.
    writeFileSync(path.join(scratch, "Pulumi.yaml"), `name: ${JSON.stringify(name)}\nruntime: ${runtime}\n`);
    const env = isolated(environment, scratch);
    outputOf("pulumi", ["stack", "init", STACK, ...QUIET], { cwd: scratch, env });
    const settings = path.join(scratch, `Pulumi.${STACK}.yaml`);
    const options = ["--json", "--show-sames", "--stack", STACK, "--config-file", settings, ...QUIET];
    return evaluateOutput(pulumi(["preview", ...options], { cwd: folder, env })).report;
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes Pulumi use a scratch backend instead of the user's state, login and selected stack. */
function isolated(environment: NodeJS.ProcessEnv, scratch: string): NodeJS.ProcessEnv {
  const { PULUMI_STACK: _stack, PULUMI_CONFIG_PASSPHRASE_FILE: _file, ...variables } = environment;
  return {
    ...variables,
    PULUMI_BACKEND_URL: backendIn(path.join(scratch, "state")),
    PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}

/** The folder's backend URL. A slash before a Windows drive letter would make Pulumi look on the current drive. */
export function backendIn(folder: string, windows = process.platform === "win32"): string {
  const { href } = pathToFileURL(folder, { windows });
  return windows ? href.replace(/^file:\/\/\/(?=[A-Za-z]:)/, "file://") : href;
}

function projectIn(folder: string) {
  const file = path.join(folder, "Pulumi.yaml");
  if (!existsSync(file))
    throw new Error(`--check: ${folder} has no Pulumi.yaml, so there is no program to preview`);
  const text = readFileSync(file, "utf8");
  const at = (key: string) => new RegExp(`^${key}: *"?([A-Za-z0-9_.-]+)"? *$`, "m").exec(text)?.[1];
  const [name, runtime] = [at("name"), at("runtime")];
  if (name === undefined || runtime === undefined)
    throw new Error(`--check: ${file} is not as adopt writes it: expected the lines name and runtime`);
  return { name, runtime };
}

/** Runs `npm install --ignore-scripts`, unless the program's packages are already installed. */
function installIfNeeded(folder: string, runtime: string, environment: NodeJS.ProcessEnv): void {
  if (runtime !== "nodejs" || [PACKAGE, "@pulumi/pulumi"].every(loadableFrom(folder))) return;
  process.stderr.write(`npm install in ${folder}, for what the program needs\n`);
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
  outputOf("npm", args, { cwd: folder, env: withoutOurs(environment) });
}

/** Drops this provider's settings, because the packages that npm installs do not need the API key. */
const withoutOurs = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith(environmentName(""))));

function loadableFrom(folder: string): (name: string) => boolean {
  const { resolve } = createRequire(path.resolve(folder, "index.js"));
  return (name) => {
    try {
      return resolve(`${name}/package.json`) !== "";
    } catch {
      return false;
    }
  };
}

/** The number of adopted deployments, a line for each changed or created deployment, and the reasons for a failure. */
export function proofOf({ deployments, failure, refusals = [] }: Report) {
  const none = deployments.length === 0 && failure === null ? ["it shows no deployment"] : [];
  return {
    adopted: deployments.filter(({ id }) => id !== null).length,
    changes: deployments
      .filter(({ verdict, notUnderstood = [] }) => verdict !== "unchanged" || notUnderstood.length > 0)
      .map(changeOf),
    failures: [...(failure === null ? [] : [failure]), ...refusals, ...none],
  };
}

/** The line for one deployment: the provider's warnings, and the paths of the fields that would change. */
function changeOf({ name, verdict, warnings, reasons }: DeploymentReport): string {
  const paths = reasons
    .map(({ path }) => path)
    .filter((path) => !warnings.some((words) => words.includes(path)));
  const details = [...warnings, ...paths].join("; ");
  return `deployment "${name}": ${details === "" ? verdict : details}`;
}
