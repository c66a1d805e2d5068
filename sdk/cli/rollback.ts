/**
 * `deployment-control rollback`: plans how the program returns to an older revision's settings. The user runs the `up`.
 */
import type { Difference } from "../../provider/schema/compare";
import { inDynamicForm, projectIn } from "../../provider/schema/naming";
import type { Arguments, Inputs, State } from "../../provider/schema/recorded";
import { redacted } from "../../provider/schema/secrecy";
import { jsonIn, propertiesIn, valueAt } from "../../provider/schema/value";
import { deploymentsIn } from "../recover/state";
import { evaluateOutput } from "../report/evaluate/evaluate";
import { type Report, SECRET } from "../report/model";
import { unpacked } from "../report/read/hidden";
import { resourcesOf } from "../report/read/resources";
import { terminalOptions } from "../report/render/formats";
import { deploymentNamed, type History, historyOf } from "../revisions/history";
import { otherChangesIn } from "../revisions/otherChanges";
import { type Proposal, ROLLBACK_FORMATS, type Setting } from "../revisions/proposal";
import { changesFor, keyValueFor, LAST_GOOD, remainsOf, type Target, targetOf } from "../revisions/wayBack";
import { complain, stackExport } from "./input";
import { type CommandPage, entryOf, type FlagRows, flagsIn } from "./page";
import { pulumi, pulumiOutput, stackArguments } from "./processes";
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
  "with-other-changes": {
    help: "plan the rollback together with the program's other pending changes, which the update sends too",
  },
  ...stateRows,
} as const satisfies FlagRows;

/** Exit codes: 2 if the program has to be changed first, or has other pending changes; 1 if the input is bad or the preview fails. */
export async function runRollback(args: readonly string[]): Promise<void> {
  const line = flagsIn(ROLLBACK_PAGE, args, true);
  if (line === undefined) return;
  const { values, positionals } = line;
  const name = onlyName("rollback", positionals);
  const { to, config: key, stack, file } = values;
  const show = entryOf("--format", values.format, ROLLBACK_FORMATS);
  if (to === undefined) throw new Error(`--to: expected the id of a revision, or ${LAST_GOOD}`);
  const deployment = deploymentNamed(name, deploymentsIn(await stackExport(file, stack)));
  if (deployment.isRead)
    throw new Error(
      `the program only reads deployment "${name}": the rollback is a change of the program that manages it`,
    );
  const allowsOthers = values["with-other-changes"] === true;
  const rollback = new Rollback(await historyOf(deployment, process.env), to, stack, allowsOthers);
  const { failure, ...proposal } = rollback.proposal(key);
  process.stdout.write(redacted(show(proposal, terminalOptions(process.stdout, process.env))));
  if (failure !== undefined) throw new Error(failure);
  if (proposal.refusal === undefined) return;
  complain(proposal.refusal);
  process.exitCode = 2;
}

/** A preview, and the arguments that it shows for the deployment. */
interface Plan {
  readonly report: Report;
  /** Why the preview failed; undefined if the preview succeeded. */
  readonly failure: string | undefined;
  readonly args: Arguments;
  readonly otherChanges: readonly string[];
}

interface Outcome extends Proposal {
  readonly failure: string | undefined;
}

class Rollback {
  readonly #history: History;
  readonly #target: Target;
  readonly #stack: readonly string[];
  readonly #allowsOthers: boolean;

  constructor(history: History, to: string, stack: string | undefined, allowsOthers: boolean) {
    this.#history = history;
    this.#target = targetOf(history, to);
    this.#stack = stackArguments(stack);
    this.#allowsOthers = allowsOthers;
  }

  /**
   * Previews the program, sets the key, and previews again. If the second preview fails, shows settings other than the
   * target's, or shows other changes that are not allowed, sets the key back to its old value.
   */
  proposal(key: string | undefined): Outcome {
    const plan = this.#preview();
    const changes = changesFor(this.#target, plan.args);
    if (plan.failure !== undefined)
      return this.#outcome(changes, { plan: plan.report, failure: plan.failure });
    if (changes.length === 0) return this.#outcome(changes, this.#planned(plan));
    return this.#outcome(changes, { otherChanges: plan.otherChanges, ...this.#changed(key, changes) });
  }

  #changed(key: string | undefined, changes: readonly Difference[]): Partial<Outcome> {
    if (key === undefined)
      return {
        refusal:
          "the program sets other settings: change it as shown, or use --config KEY if it reads the changed value from the configuration; then run this again for the plan",
      };
    const setting = this.#settingOf(key, changes);
    if (typeof setting === "string") return { refusal: `--config ${key}: ${setting}. Nothing was set` };
    return this.#withKey(key, setting);
  }

  /** The plan with which the program gives the target's settings, or why the up has to wait. */
  #planned({ report, otherChanges }: Plan): Partial<Outcome> {
    if (otherChanges.length === 0 || this.#allowsOthers) return { otherChanges, plan: report };
    return {
      otherChanges,
      refusal:
        "the update would send other changes of the program too: apply them first, or use --with-other-changes",
    };
  }

  #outcome(changes: readonly Difference[], more: Partial<Outcome>): Outcome {
    return {
      history: this.#history,
      target: this.#target,
      changes,
      remains: remainsOf(this.#target, this.#history),
      otherChanges: [],
      setting: undefined,
      refusal: undefined,
      plan: undefined,
      failure: undefined,
      ...more,
    };
  }

  #withKey(name: string, setting: Setting): Partial<Outcome> {
    this.#set(setting.key, setting.after);
    let isKept = false;
    try {
      const plan = this.#preview();
      const setBack = `The key was set back to ${setting.before}`;
      if (plan.failure !== undefined) return { plan: plan.report, failure: `${plan.failure}. ${setBack}` };
      if (changesFor(this.#target, plan.args).length > 0)
        return {
          refusal: `--config ${name}: with it the program still sets other settings, so it was set back to ${setting.before}. Change the program as shown, then run this again`,
        };
      const { refusal, ...planned } = this.#planned(plan);
      if (refusal !== undefined) return { ...planned, refusal: `${refusal}. ${setBack}` };
      isKept = true;
      return { ...planned, setting };
    } finally {
      if (!isKept) this.#set(setting.key, setting.before);
    }
  }

  #preview(): Plan {
    const args = ["preview", "--json", "--show-sames", "--non-interactive", "--color", "never"];
    const { preview, report } = evaluateOutput(pulumi([...args, ...this.#stack]));
    const { name, deployment } = this.#history;
    const urn = inDynamicForm(deployment.urn);
    const resources = resourcesOf(preview);
    const resource = resources.find((each) => inDynamicForm(each.urn) === urn);
    if (report.failure === null && resource?.after === undefined)
      throw new Error(
        `the plan has no deployment "${name}": the program no longer declares it, or the state is not that of the stack`,
      );
    const inputs =
      resource?.after?.inputs === undefined ? deployment.values : unpacked(resource.after.inputs);
    const failure = report.failure === null ? undefined : `the preview failed: ${report.failure}`;
    const otherChanges = failure === undefined ? otherChangesIn(report, resources, resource?.urn ?? "") : [];
    return { report, failure, args: withSecrets(inputs, deployment.values), otherChanges };
  }

  /** The key's old and new value; if the key cannot be set, a text that says why. */
  #settingOf(name: string, changes: readonly Difference[]): Setting | string {
    const [change] = changes;
    if (change === undefined || changes.length > 1)
      return `${changes.length} arguments have to change, and a key sets one: change them in the program`;
    const [key, setting] = this.#configured(name);
    const before = valueAt(setting, ["value"]);
    if (typeof before !== "string") return "the stack's configuration does not have it as a plain value";
    const after = keyValueFor(before, change.before, change.after);
    return after === undefined
      ? `its value, ${before}, is not a part of the argument that has to change: change that in the program`
      : { key, before, after };
  }

  /** The key with its namespace (by default the project's), and the key's entry in the stack's configuration. */
  #configured(name: string): [key: string, setting: unknown] {
    const output = pulumiOutput(["config", "--json", "--non-interactive", ...this.#stack]);
    const key = name.includes(":") ? name : `${projectIn(this.#history.deployment.urn)}:${name}`;
    return [key, valueAt(jsonIn(output), [key])];
  }

  #set(key: string, value: string): void {
    // The `--` allows a value that begins with a hyphen.
    pulumiOutput(["config", "set", "--plaintext", "--non-interactive", ...this.#stack, "--", key, value]);
  }
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
  usage: "deployment-control rollback NAME --to ID|last-good [--config KEY] [--with-other-changes] [OPTIONS]",
  about: [
    "Plans the rollback to an older revision: says which arguments the program has to change, and shows the plan when the program sets them. It sets only the key that --config names; you run `pulumi up`.",
    "A revision shows only its settings (sourceRevisionConfig), its source and its commit. The values of secrets, and every other argument, stay as the program sets them now; the command names those.",
    "With --config KEY it sets the key by which the program reads the value, on three conditions: exactly one argument has to change; the key is set as a plain value that is the argument's old value or a part of it, such as the tag of an image; and the rest of the argument stays. If the program then still sets other settings, the preview fails or the plan has other changes, the key is set back.",
    "An update sends every change of the program, not only the rollback. If the plan has other changes, the command names them first and shows no plan, unless --with-other-changes is set.",
    "NAME is the name in the program, not the one on the service. If two resources have it, use the URN.",
    STATE_WORDS,
  ],
  rows,
  exitCodes: [
    { code: 0, when: "the program sets the revision's settings, and the plan is shown" },
    { code: 1, when: "an option is bad, the preview fails, or Pulumi or the service cannot be asked" },
    { code: 2, when: "the program has to be changed first, or has other pending changes" },
  ],
} as const satisfies CommandPage;
