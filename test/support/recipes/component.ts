/** A model of GitLab for the component: its inputs, `extends` and variables, and a runner of its jobs. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const ROOT = path.join(__dirname, "..", "..", "..");
const COMPONENT = path.join(ROOT, "examples/ci/gitlab/templates/deployment-control/template.yml");
const { loadAll } = createRequire(__filename)("js-yaml") as { loadAll(text: string): unknown[] };

type Inputs = Readonly<Record<string, string | number>>;
interface Input {
  readonly default?: string | number;
  readonly regex?: string;
}
interface Job {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly [key: string]: unknown;
}

const [header, body] = loadAll(readFileSync(COMPONENT, "utf8")) as [
  { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } },
  Readonly<Record<string, Job>>,
];
export const componentInputs = header.spec.inputs;

/** The jobs as GitLab sees them with these inputs. */
export function componentJobs(inputs: Inputs): Readonly<Record<string, Job>> {
  for (const name of Object.keys(inputs))
    if (!(name in componentInputs)) throw new Error(`${name} is no input of the component`);
  const values: Record<string, unknown> = {};
  for (const [name, input] of Object.entries(componentInputs)) {
    values[name] = inputs[name] ?? input.default;
    if (values[name] === undefined) throw new Error(`the input ${name} is missing`);
    if (input.regex !== undefined && !new RegExp(input.regex).test(String(values[name])))
      throw new Error(`the input ${name} does not match ${input.regex}`);
  }
  const valued = JSON.stringify(body).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name) => {
    if (!(name in values)) throw new Error(`${name} is no input of the component`);
    return JSON.stringify(String(values[name])).slice(1, -1);
  });
  const jobs = JSON.parse(valued) as Record<string, Job>;
  const whole = (job: Job): Job =>
    job.extends === undefined ? job : { ...whole(jobs[job.extends] as Job), ...job };
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, whole(job)]));
}

export interface JobEnded {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a job of the component in this folder, as the runner does. */
export function runJob(
  name: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  inputs: Inputs = { stacks: "production" },
): Promise<JobEnded> {
  const job = componentJobs(inputs)[name] as Job;
  const variables = Object.entries(job.variables ?? {}).map(([key, value]) => [
    key,
    value.replace("$CI_PROJECT_DIR", folder),
  ]);
  mkdirSync(folder, { recursive: true });
  const script = ["set -eo pipefail", ...(job.before_script ?? []), ...(job.script ?? [])].join("\n");
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env: { ...Object.fromEntries(variables), ...environment },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (words) => (text += words));
  return new Promise((done) => child.on("close", (code) => done({ code, text })));
}
