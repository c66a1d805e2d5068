/** Updates through the real engine: what the report of the preview says, and what then happens at the service. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import type { Properties } from "../../provider/fields/value";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/index";
import { judge } from "../../sdk/report/judge/judge";
import type { Report, ReportVerdict } from "../../sdk/report/model";
import { type Preview, previewsIn } from "../../sdk/report/read/preview";
import { watch } from "../endpoints/watching";
import { firstArguments, type ProfileName, updateOf } from "./edits";

const WORK = path.join(__dirname, "..", "..", ".cache", "agreement");

export interface Plan {
  readonly profile: ProfileName;
  readonly deployments: number;
  readonly updates: number;
  readonly seed: number;
  readonly service?: EmulatorOptions;
  /** The fields to edit; all unless given. */
  readonly among?: readonly string[];
}

export interface Agreement {
  readonly updates: number;
  readonly verdicts: { readonly [verdict: string]: number };
  /** Where the verdict was another than what happened. */
  readonly misses: readonly string[];
}

/** One stack, updated again and again. */
export async function agreementOf(plan: Plan): Promise<Agreement> {
  const emulator = await startEmulator({ revisionSeconds: 0, profile: plan.profile, ...plan.service });
  watch(emulator.url, plan.profile);
  mkdirSync(WORK, { recursive: true });
  const folder = mkdtempSync(path.join(WORK, `${plan.profile}-`));
  try {
    return await updated(plan, emulator, await projectIn(folder, plan, emulator));
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Project {
  declare(round: number, deployments: readonly Properties[]): void;
  pulumi(...args: readonly string[]): Promise<string>;
}

async function projectIn(folder: string, { profile }: Plan, emulator: Emulator): Promise<Project> {
  copyFileSync(path.join(__dirname, "program.js"), path.join(folder, "index.js"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "agreement", main: "index.js" }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(path.join(folder, "Pulumi.yaml"), JSON.stringify({ name: "agreement", runtime }));
  const env = {
    ...process.env,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "agreement",
    DEPLOYMENT_CONTROL_BASE_URL: emulator.url,
    DEPLOYMENT_CONTROL_PROFILE: profile,
  };
  mkdirSync(path.join(folder, "state"));
  const pulumi = async (...args: readonly string[]) => {
    const whole = [...args, "--non-interactive", "--color", "never"];
    const options = { cwd: folder, env, maxBuffer: 1e9 };
    const { stdout } = await promisify(execFile)("pulumi", whole, options).catch((failure) => {
      throw new Error(`pulumi ${args.join(" ")}\n${failure.stdout}${failure.stderr}`);
    });
    return stdout;
  };
  await pulumi("stack", "init", "test");
  return {
    pulumi,
    declare: (round, deployments) => {
      const named = Object.fromEntries(deployments.map((args, index) => [`chat-${index}`, args]));
      writeFileSync(path.join(folder, "declared.json"), JSON.stringify({ round, deployments: named }));
    },
  };
}

async function updated(plan: Plan, emulator: Emulator, project: Project): Promise<Agreement> {
  const indices = Array.from({ length: plan.deployments }, (_, index) => index);
  let declared = indices.map(firstArguments);
  project.declare(0, declared);
  await project.pulumi("up", "--yes", "--skip-preview");
  const rounds = fc.sample(fc.tuple(...indices.map((index) => updateOf(index, plan.among))), {
    numRuns: plan.updates,
    seed: plan.seed,
  });
  const misses: string[] = [];
  const verdicts: { [verdict: string]: number } = {};
  for (const [round, edits] of rounds.entries()) {
    const before = declared;
    declared = before.map((args, index) => (edits[index] as (typeof edits)[number])(args));
    project.declare(round + 1, declared);
    const report = judge(
      previewsIn(await project.pulumi("preview", "--json", "--show-sames"), "preview")[0] as Preview,
    );
    const there = counted(emulator);
    await project.pulumi("up", "--yes", "--skip-preview");
    const then = counted(emulator);
    for (const index of indices) {
      const verdict = verdictIn(report, `chat-${index}`);
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      const happened = between(there.get(nameOf(before[index])), then.get(nameOf(declared[index])));
      if (!RIGHT[verdict].includes(happened)) {
        misses.push(
          `${plan.profile}, seed ${plan.seed}, update ${round + 1} of chat-${index}: ${verdict}, but ${happened}: ${JSON.stringify([before[index], declared[index]])}`,
        );
      }
    }
  }
  return { updates: plan.updates * plan.deployments, verdicts, misses };
}

const nameOf = (args: Properties | undefined): string => String(args?.name);

function verdictIn(report: Report, name: string): ReportVerdict {
  const found = report.deployments.find((each) => each.name === name);
  if (found === undefined) throw new Error(`the report has no deployment ${name}`);
  return found.verdict;
}

interface Counted {
  readonly id: string;
  readonly revisions: number;
}

/** What the service itself has, by name, without what is on its way out. */
function counted(emulator: Emulator): Map<string, Counted> {
  const living = emulator.deployments().filter(({ status }) => status !== "AWAITING_DELETE");
  return new Map(living.map(({ id, name, revisions }) => [name, { id, revisions: revisions.length }]));
}

type Happened = "another deployment" | "gone" | `${number} revisions`;

function between(before: Counted | undefined, after: Counted | undefined): Happened {
  if (before === undefined || after === undefined) return "gone";
  return before.id === after.id ? `${after.revisions - before.revisions} revisions` : "another deployment";
}

const RIGHT: { readonly [verdict in ReportVerdict]: readonly Happened[] } = {
  create: ["another deployment"],
  replace: ["another deployment"],
  delete: ["gone"],
  "new-revision": ["1 revisions"],
  "may-create-revision": ["0 revisions", "1 revisions"],
  "in-place": ["0 revisions"],
  unchanged: ["0 revisions"],
};
