/** A model of GitLab for the component: fills in inputs, `extends` and variables, and runs jobs. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type ShellEnded, shell } from "./action";

const GITLAB = path.join(__dirname, "..", "..", "..", "examples", "ci", "gitlab");
const COMPONENT = path.join(GITLAB, "templates/deployment-control/template.yml");
const { loadAll } = createRequire(__filename)("js-yaml") as { loadAll(text: string): unknown[] };

type Inputs = Readonly<Record<string, string | number>>;
interface Input {
  readonly description?: string;
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

type Jobs = Readonly<Record<string, Job>>;

const [header, body] = loadAll(readFileSync(COMPONENT, "utf8")) as [
  { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } },
  Readonly<Record<string, Job>>,
];
export const componentInputs = header.spec.inputs;

/** The component's jobs, and the jobs of a recipe that extend the component's jobs. */
export const recipeJobs = (inputs: Inputs, recipe: string): Readonly<Record<string, Job>> =>
  jobsOf({
    ...componentBody(inputs),
    ...(loadAll(readFileSync(path.join(GITLAB, `${recipe}.yml`), "utf8"))[0] as Jobs),
  });

/** The component's jobs as GitLab sees them with these inputs. */
export const componentJobs = (inputs: Inputs): Readonly<Record<string, Job>> => jobsOf(componentBody(inputs));

/** Merges each job with the job that it extends. Variables are merged; all other keys are replaced. */
function jobsOf(jobs: Jobs): Jobs {
  const whole = (job: Job): Job => {
    if (job.extends === undefined) return job;
    const base = whole(jobs[job.extends] as Job);
    return { ...base, ...job, variables: { ...base.variables, ...job.variables } };
  };
  return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, whole(job)]));
}

function componentBody(inputs: Inputs): Jobs {
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
  return JSON.parse(valued);
}

/** Runs a job of the component or of a recipe in the folder, as the runner does. */
export function runJob(
  name: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  inputs: Inputs = { stacks: "production" },
  recipe?: string,
): Promise<ShellEnded> {
  const job = (recipe === undefined ? componentJobs(inputs) : recipeJobs(inputs, recipe))[name] as Job;
  const predefined: NodeJS.ProcessEnv = {
    PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
    TMPDIR: folder,
    CI_PROJECT_ID: "1",
    ...environment,
    CI_PROJECT_DIR: folder,
  };
  const variables = Object.entries(job.variables ?? {}).map(([key, value]) => [
    key,
    value.replace(/\$(CI_\w+)/g, (_, variable) => predefined[variable] ?? ""),
  ]);
  mkdirSync(folder, { recursive: true });
  const script = [...(job.before_script ?? []), ...(job.script ?? [])].join("\n");
  return shell(script, folder, { ...Object.fromEntries(variables), ...predefined });
}
