/** `deployment-control rollback`: plans the return to an older revision's settings. The user runs `pulumi up`. */
import type { Difference } from "../../provider/schema/compare";
import { inDynamicForm, projectIn } from "../../provider/schema/naming";
import type { Inputs, State } from "../../provider/schema/recorded";
import { redacted } from "../../provider/schema/secrecy";
import { jsonIn, propertiesIn, valueAt } from "../../provider/schema/value";
import { pulumi, pulumiOutput, stackArguments } from "../processes";
import { deploymentsIn } from "../recover/state";
import { evaluateOutput } from "../report/evaluate/evaluate";
import { type Report, SECRET } from "../report/model";
import { unpacked } from "../report/read/hidden";
import { resourcesOf } from "../report/read/resources";
import { terminalOptions } from "../report/render/formats";
import { deploymentNamed, type History, historyOf } from "../revisions/history";
import { type Proposal, ROLLBACK_FORMATS, type Setting, verdictOf } from "../revisions/proposal";
import { changesFor, keyValueFor, LAST_GOOD, remainsOf, type Target, targetOf } from "../revisions/wayBack";
import { complain, stackExport } from "./input";
import { type CommandPage, type FlagRows, flagsIn } from "./page";
import { onlyName, STATE_WORDS, stateRows } from "./revisions";

const rows = {
  to: {
    value: "ID",
    help: "a revision, as `deployment-control revisions` lists it, or last-good: the last good one according to the state, unless that is the newest one",
  },
  config: {
    value: "KEY",
    help: "the configuration key to set; in the project's namespace unless it names one",
  },
  ...stateRows,
} as const satisfies FlagRows;

/** Exit codes: 2 if the program has to be changed or the state refreshed first; 1 if the input is bad or the preview fails. */
export async function runRollback(args: readonly string[]): Promise<void> {
  const line = flagsIn(ROLLBACK_PAGE, args, true);
  if (line === undefined) return;
  const { values, positionals } = line;
  const name = onlyName("rollback", positionals);
  const { to, config: key, stack, file } = values;
  if (to === undefined) throw new Error(`--to: expected the id of a revision, or ${LAST_GOOD}`);
  const deployment = deploymentNamed(name, deploymentsIn(await stackExport(file, stack)));
  if (deployment.isRead)
    throw new Error(
      `the program only reads deployment "${name}": the rollback is a change of the program that manages it`,
    );
  const history = await historyOf(deployment, process.env);
  const { failure, ...proposal } = proposalFor(history, to, key, stackArguments(stack));
  const options = terminalOptions(process.stdout, process.env);
  process.stdout.write(redacted(ROLLBACK_FORMATS[values.format](proposal, options)));
  if (failure !== undefined) throw new Error(failure);
  if (proposal.refusal === undefined) return;
  complain(proposal.refusal);
  process.exitCode = 2;
}

interface Outcome extends Proposal {
  readonly failure?: string | undefined;
}

/**
 * Previews the program, sets the configuration key, and previews again. Restores the key's old value unless the second
 * preview shows the target's settings. `stack` has the arguments that name the stack.
 */
function proposalFor(
  history: History,
  to: string,
  key: string | undefined,
  stack: readonly string[],
): Outcome {
  const target = targetOf(history, to);
  const { report, failure, args } = planOf(history, stack);
  const changes = changesFor(target, args);
  const proposal = { history, target, changes, remains: remainsOf(target, history) };
  if (failure !== undefined) return { ...proposal, plan: report, failure };
  if (changes.length === 0)
    return isStale(history, target, report) ? { ...proposal, refusal: STALE } : { ...proposal, plan: report };
  if (key === undefined)
    return {
      ...proposal,
      refusal:
        "the program sets other settings: change it as shown, or use --config KEY if it reads the changed value from the configuration; then run this again for the plan",
    };
  const setting = settingOf(key, changes, history, stack);
  if (typeof setting === "string")
    return { ...proposal, refusal: `--config ${key}: ${setting}. Nothing was set` };
  return { ...proposal, ...withKey(key, setting, history, target, stack) };
}

const STALE =
  "another tool made the newest revision, so the state does not have it. Run `pulumi refresh`, then this again";

/** Whether the plan does nothing only because the state does not have the newest revision. */
function isStale(history: History, target: Target, plan: Report): boolean {
  const newest = history.revisions[0]?.id;
  const isRecorded = newest === history.deployment.values.latestRevisionId;
  return !isRecorded && newest !== target.revision.id && verdictOf({ plan, history }) === "unchanged";
}

function withKey(
  name: string,
  setting: Setting,
  history: History,
  target: Target,
  stack: readonly string[],
): Partial<Outcome> {
  // With this handler, Ctrl-C ends only the preview, and the key is still restored.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  setKey(setting.key, setting.after, stack);
  let isKept = false;
  try {
    const { report, failure, args } = planOf(history, stack);
    if (failure !== undefined)
      return { plan: report, failure: `${failure}. The key was set back to ${setting.before}` };
    if (changesFor(target, args).length > 0)
      return {
        refusal: `--config ${name}: with it the program still sets other settings, so it was set back to ${setting.before}. Change the program as shown, then run this again`,
      };
    if (isStale(history, target, report)) return { refusal: STALE };
    isKept = true;
    return { plan: report, setting };
  } finally {
    if (!isKept) setKey(setting.key, setting.before, stack);
    process.off("SIGINT", ignore);
  }
}

/** Returns the report on a preview, the reason if the preview failed, and the deployment's planned arguments. */
function planOf({ name, deployment }: History, stack: readonly string[]) {
  const args = ["preview", "--json", "--show-sames", "--non-interactive", "--color", "never"];
  const { preview, report } = evaluateOutput(pulumi([...args, ...stack]));
  const urn = inDynamicForm(deployment.urn);
  const resource = resourcesOf(preview).find((each) => inDynamicForm(each.urn) === urn);
  if (report.failure === null && resource?.after === undefined)
    throw new Error(
      `the plan has no deployment "${name}": the program no longer declares it, or the state is not that of the stack`,
    );
  const inputs = resource?.after?.inputs === undefined ? deployment.values : unpacked(resource.after.inputs);
  const failure = report.failure === null ? undefined : `the preview failed: ${report.failure}`;
  return { report, failure, args: withSecrets(inputs, deployment.values) };
}

/** The key's old and new value, or a string that says why the key cannot be set. */
function settingOf(
  name: string,
  changes: readonly Difference[],
  { deployment }: History,
  stack: readonly string[],
): Setting | string {
  const [change] = changes;
  if (change === undefined || changes.length > 1)
    return `${changes.length} arguments have to change, and a key sets one: change them in the program`;
  const key = name.includes(":") ? name : `${projectIn(deployment.urn)}:${name}`;
  const output = pulumiOutput(["config", "--json", "--non-interactive", ...stack]);
  const before = valueAt(jsonIn(output), [key, "value"]);
  if (typeof before !== "string") return "the stack's configuration does not have it as a plain value";
  const after = keyValueFor(before, change.before, change.after);
  return after === undefined
    ? `its value, ${before}, is not a part of the argument that has to change: change that in the program`
    : { key, before, after };
}

function setKey(key: string, value: string, stack: readonly string[]): void {
  // The `--` allows values that begin with a hyphen.
  pulumiOutput(["config", "set", "--plaintext", "--non-interactive", ...stack, "--", key, value]);
}

/** Puts the state's values in place of the secret settings that the preview masks. */
function withSecrets(inputs: Inputs, state: State): Inputs {
  const members = Object.entries(propertiesIn(inputs.sourceRevisionConfig)).map(([name, value]) => [
    name,
    value === SECRET ? valueAt(state, ["sourceRevisionConfig", name]) : value,
  ]);
  return { ...inputs, sourceRevisionConfig: Object.fromEntries(members) };
}

export const ROLLBACK_PAGE = {
  name: "rollback",
  usage: "deployment-control rollback NAME --to ID|last-good [--config KEY] [OPTIONS]",
  about: [
    "Plans the rollback to an older revision: says which arguments the program has to change, and shows the plan when the program sets them. It sets only the key that --config names; you run `pulumi up`.",
    "A revision shows only its settings (sourceRevisionConfig), its source and its commit. The values of secrets, and every other argument, stay as the program sets them now; the command names those.",
    "With --config KEY it sets the key by which the program reads the value, on three conditions: exactly one argument has to change; the key is set as a plain value that is the argument's old value or a part of it, such as the tag of an image; and the rest of the argument stays. If the program then still sets other settings, or the preview fails, the key is set back.",
    "An update sends every change of the program, not only the rollback: the plan shows them all.",
    "NAME is the name in the program, not the one on the service. If two resources have it, use the URN.",
    STATE_WORDS,
  ],
  rows,
  exitCodes: [
    { code: 0, when: "the program sets the revision's settings, and the plan is shown" },
    { code: 1, when: "an option is bad, the preview fails, or Pulumi or the service cannot be asked" },
    { code: 2, when: "the program has to be changed, or the state refreshed, first" },
  ],
} as const satisfies CommandPage;
