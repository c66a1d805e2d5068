/** A model of the Actions runner for the composite action: evaluates its expressions, and runs its steps in order. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..", "..");
export const ACTION = path.join(ROOT, ".github", "actions", "deployment-control");
const { load } = createRequire(__filename)("js-yaml") as { load(text: string): unknown };

interface ActionStep {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Input {
  readonly description?: string;
  readonly default?: string;
  readonly required?: boolean;
}
interface Action {
  readonly inputs: Readonly<Record<string, Input>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}
export const action = load(readFileSync(path.join(ACTION, "action.yml"), "utf8")) as Action;
export const actionSteps = action.runs.steps;
/** The checksum of the Pulumi CLI's archive. */
export const CLI_SUM = action.inputs["pulumi-sha256"]?.default?.split(" ")[0] ?? "";

type Words = Readonly<Record<string, string>>;

export interface ShellEnded {
  readonly code: number | null;
  readonly text: string;
}

/** One run of the action. */
interface Use {
  readonly inputs: Words;
  /** The values of the context `github`. */
  readonly github: unknown;
  /** The workspace's folder; the folders `temp` and `artifacts` are next to it. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Ended {
  readonly output: string;
  readonly outputs: Words;
  readonly summary: string;
  /** The steps that ran, each by its name, or by the action that it uses. */
  readonly ran: readonly string[];
  /** The settings with which the host's actions were used, by the action's name. */
  readonly used: Readonly<Record<string, Words>>;
  /** The exit code of the first step that failed; 0 if none failed. */
  readonly code: number;
}

const EXPRESSION = /\$\{\{(.*?)\}\}/gs;

/** The value of an expression, as the runner computes it. */
function evaluate(expression: string, contexts: object): unknown {
  const script = expression
    .replace(/\b(inputs|env)\.([\w-]+)/g, '$1["$2"]')
    .replace(/(?<=\w)\.(?=[a-z])/g, "?.")
    .replaceAll(" == ", " === ")
    .replaceAll(" != ", " !== ");
  return new Function(...Object.keys(contexts), `return (${script});`)(...Object.values(contexts));
}

const textOf = (template: string, contexts: object): string =>
  String(template).replace(EXPRESSION, (_, expression) => String(evaluate(expression, contexts) ?? ""));

const folderOf = ({ folder }: Use, name: string): string => path.join(path.dirname(folder), name);

/** Stands in for an action of the host, and does only what our action needs. */
function runHostAction(name: string, settings: Words, use: Use): void {
  const artifacts = folderOf(use, "artifacts");
  const target = settings.path ?? "";
  if (name === "actions/upload-artifact")
    cpSync(target, path.join(artifacts, settings.name ?? ""), { recursive: true });
  if (name === "actions/download-artifact") {
    mkdirSync(target, { recursive: true });
    if (existsSync(artifacts))
      for (const each of artifactsIn(artifacts, settings.pattern ?? ""))
        cpSync(each, target, { recursive: true });
  }
  // A save never overwrites an earlier entry. A restore takes the newest entry whose key starts with the prefix.
  const caches = folderOf(use, "caches");
  mkdirSync(caches, { recursive: true });
  const index = path.join(caches, "keys.json");
  const keys: string[] = existsSync(index) ? JSON.parse(readFileSync(index, "utf8")) : [];
  if (name === "actions/cache/save" && existsSync(target)) {
    cpSync(target, path.join(caches, String(keys.length)), { recursive: true });
    writeFileSync(index, JSON.stringify([...keys, settings.key]));
  }
  if (name === "actions/cache/restore") {
    const newest = keys.findLastIndex((key) => key.startsWith(settings["restore-keys"] ?? "\n"));
    if (newest !== -1) cpSync(path.join(caches, String(newest)), target, { recursive: true });
  }
}

function artifactsIn(artifacts: string, pattern: string): string[] {
  return readdirSync(artifacts)
    .filter((name) => name.startsWith(pattern.replace("*", "")))
    .map((name) => path.join(artifacts, name));
}

/** Runs the action on a fresh runner. */
export async function use(wanted: Use): Promise<Ended> {
  const temp = folderOf(wanted, "temp");
  mkdirSync(temp, { recursive: true });
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]);
  const inputs: Words = { ...Object.fromEntries(defaults), ...wanted.inputs };
  const steps: Record<string, { outputs: Record<string, string>; outcome?: string }> = {};
  const summary = path.join(temp, "summary");
  writeFileSync(summary, "");
  let [output, code] = ["", 0];
  const ran: string[] = [];
  const used: Record<string, Words> = {};
  for (const [index, step] of actionSteps.entries()) {
    const contexts = {
      inputs,
      steps,
      github: wanted.github,
      env: wanted.env,
      runner: { temp },
      always: () => true,
    };
    const condition = step.if ?? "true";
    if (code !== 0 && !condition.includes("always()")) continue;
    if (!evaluate(condition, contexts)) continue;
    const title = step.name ?? step.uses?.split("@")[0] ?? "";
    ran.push(title);
    const wordsOf = (words: Words = {}): Words =>
      Object.fromEntries(Object.entries(words).map(([name, template]) => [name, textOf(template, contexts)]));
    if (step.uses !== undefined) {
      used[title] = wordsOf(step.with);
      runHostAction(title, used[title], wanted);
      if (step.id !== undefined) steps[step.id] = { outputs: {}, outcome: "success" };
      continue;
    }
    const outputFile = path.join(temp, `output-${index}`);
    writeFileSync(outputFile, "");
    const ended = await shell(step.run ?? "", wanted.folder, {
      ...wanted.env,
      GITHUB_ACTION_PATH: ACTION,
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_PATH: path.join(temp, "path"),
      RUNNER_TEMP: temp,
      ...wordsOf(step.env),
    });
    output += ended.text;
    if (ended.code !== 0 && code === 0) code = ended.code ?? 1;
    const lines = readFileSync(outputFile, "utf8").split("\n").filter(Boolean);
    if (step.id !== undefined)
      steps[step.id] = {
        outputs: Object.fromEntries(
          lines.map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
        ),
      };
  }
  const contexts = { steps: { report: { outputs: {} }, ...steps } };
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, textOf(value, contexts)]);
  return {
    code,
    output,
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(summary, "utf8"),
    ran,
    used,
  };
}

/** Runs a script with the options that Actions passes to `bash`. GitLab's runner passes no other options. */
export function shell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<ShellEnded> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (words) => (text += words));
  return new Promise((done) => child.on("close", (code) => done({ code, text })));
}
