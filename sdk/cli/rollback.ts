/** `deployment-control rollback`: plans the way back to the settings of an older revision. The up is the user's. */
import { projectIn } from "../../provider/fields/naming";
import { jsonIn, type Properties, propertiesIn, valueAt } from "../../provider/fields/value";
import { failureWords } from "../../provider/run/failureWords";
import { redacted } from "../../provider/run/secrecy";
import { deploymentsIn } from "../recover/state";
import { judge } from "../report/judge/judge";
import { namedApart } from "../report/judge/namesakes";
import { type Report, SECRET } from "../report/model";
import { previewIn } from "../report/read/preview";
import { newInputsOf, resourcesOf } from "../report/read/resources";
import { FORMATS, terminalOptions } from "../report/show/formats";
import { deploymentNamed, type History, historyOf } from "../revisions/history";
import { keyValueFor } from "../revisions/key";
import { changeLine } from "../revisions/show";
import { remainsLines, targetLine, verdictLine } from "../revisions/story";
import { changesFor, LAST_GOOD, remainsOf, type Target, targetOf } from "../revisions/wayBack";
import { pulumi, pulumiOutput, say, stackArguments, stateText } from "./input";
import { type CommandPage, helpOf, parsedFlags, STACK_OPTION } from "./page";
import { onlyName, STATE_WORDS } from "./revisions";

const options = {
  to: { type: "string" },
  config: { type: "string" },
  stack: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Exit codes: 2 if the program has to be changed first; 1 if the input is bad or the preview fails. */
export async function runRollback(args: readonly string[]): Promise<void> {
  const flags = { args: [...args], options, allowPositionals: true } as const;
  const { values, positionals } = parsedFlags("rollback", flags);
  if (values.help === true) {
    process.stdout.write(helpOf(ROLLBACK_PAGE));
    return;
  }
  const name = onlyName("rollback", positionals);
  const { to, config: key, stack } = values;
  if (to === undefined) throw new Error(`--to: expected the id of a revision, or ${LAST_GOOD}`);
  try {
    await new Rollback(await historyBy(name, stack), to, stack).carryOut(key);
  } catch (error) {
    throw new Error(failureWords(error));
  }
}

async function historyBy(name: string, stack: string | undefined): Promise<History> {
  const { text, source } = stateText(undefined, stack);
  const deployment = deploymentNamed(name, deploymentsIn(text, source));
  if (deployment.isRead)
    throw new Error(
      `the program only reads deployment "${name}": the way back is a change of the program that manages it`,
    );
  return historyOf(deployment, process.env);
}

/** A preview, and the arguments that the program gives the deployment in it. */
interface Plan {
  readonly report: Report;
  readonly failure: string | null;
  readonly args: Properties;
}

interface Setting {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

class Rollback {
  readonly #history: History;
  readonly #target: Target;
  readonly #stack: readonly string[];

  constructor(history: History, to: string, stack: string | undefined) {
    this.#history = history;
    this.#target = targetOf(history, to);
    this.#stack = stackArguments(stack);
  }

  async carryOut(key: string | undefined): Promise<void> {
    const plan = this.#preview();
    const changes = changesFor(this.#target, plan.args);
    say(targetLine(this.#target, this.#history));
    for (const change of changes) say(`  ${changeLine(change, this.#history)}`);
    for (const line of remainsLines(remainsOf(this.#target, this.#history))) say(line);
    if (changes.length === 0) return this.#show(plan);
    if (key === undefined)
      return refuse(
        "the program gives other settings: change it as shown, or give --config KEY if it reads the changed value from the configuration; then run this again for the plan",
      );
    const setting = this.#settingOf(key, changes);
    if (typeof setting === "string") return refuse(`--config ${key}: ${setting}. Nothing was set`);
    this.#set(setting.key, setting.after);
    say(`${setting.key}: ${setting.before} -> ${setting.after}, set in the stack's configuration`);
    const planned = this.#preview();
    if (planned.failure !== null || changesFor(this.#target, planned.args).length === 0)
      return this.#show(planned);
    this.#set(setting.key, setting.before);
    refuse(
      `--config ${key}: with it the program still gives other settings, so it was set back to ${setting.before}. Change the program as shown, then run this again`,
    );
  }

  #show({ report, failure }: Plan): void {
    process.stdout.write(
      redacted(FORMATS.text.plan([namedApart(report)], terminalOptions(process.stdout, process.env))),
    );
    if (failure !== null) throw new Error(`the preview failed: ${failure}`);
    const { deployment, name } = this.#history;
    const planned = report.deployments.find(({ urn }) => urn === deployment.urn);
    say(verdictLine(this.#target, planned?.verdict ?? "unchanged", name));
  }

  #preview(): Plan {
    const args = ["preview", "--json", "--show-sames", "--non-interactive", "--color", "never"];
    const { isDone, output, errors } = pulumi([...args, ...this.#stack]);
    // A preview that cannot start prints an empty object, and the reason on the error stream.
    if (["", "{}"].includes(output.trim()))
      throw new Error(`pulumi preview: ${errors || "it printed nothing"}`);
    const preview = previewIn(output, "pulumi preview --json");
    const report = judge(preview);
    const { urn, values } = this.#history.deployment;
    const resource = resourcesOf(preview).find((each) => each.urn === urn);
    const inputs = resource?.after?.inputs === undefined ? values : newInputsOf(resource);
    return { report, failure: report.failure ?? (isDone ? null : errors), args: withSecrets(inputs, values) };
  }

  /** The key's values; a string says why it cannot be set. */
  #settingOf(name: string, changes: ReturnType<typeof changesFor>): Setting | string {
    const [change] = changes;
    if (change === undefined || changes.length > 1)
      return `${changes.length} arguments have to change, and a key gives one: change them in the program`;
    const [key, setting] = this.#configured(name);
    const before = valueAt(setting, ["value"]);
    if (typeof before !== "string") return "the stack's configuration does not have it as a plain value";
    const after = keyValueFor(before, change.before, change.after);
    return after === undefined
      ? `its value, ${before}, is no part of the argument that has to change: change that in the program`
      : { key, before, after };
  }

  /** The key with its namespace, and its setting; the project's namespace unless given. */
  #configured(name: string): [key: string, setting: unknown] {
    const output = pulumiOutput(["config", "--json", "--non-interactive", ...this.#stack]);
    const key = name.includes(":") ? name : `${projectIn(this.#history.deployment.urn)}:${name}`;
    return [key, valueAt(jsonIn(output), [key])];
  }

  #set(key: string, value: string): void {
    pulumiOutput(["config", "set", "--plaintext", "--non-interactive", ...this.#stack, key, value]);
  }
}

/** The preview masks secret settings: these are taken from the state. */
function withSecrets(inputs: Properties, recorded: Properties): Properties {
  const members = Object.entries(propertiesIn(inputs.sourceRevisionConfig)).map(([name, value]) => [
    name,
    value === SECRET ? valueAt(recorded, ["sourceRevisionConfig", name]) : value,
  ]);
  return { ...inputs, sourceRevisionConfig: Object.fromEntries(members) };
}

function refuse(words: string): void {
  process.stderr.write(`${redacted(words)}\n`);
  process.exitCode = 2;
}

export const ROLLBACK_PAGE: CommandPage = {
  name: "rollback",
  usage: "deployment-control rollback NAME --to ID|last-good [--config KEY] [OPTIONS]",
  about: [
    "Plans the way back to an older revision. The service has none: the way is a new revision with the old settings, so it is a change of the program and an up like any other. The command says which arguments the program has to change, runs `pulumi preview`, and shows its plan when the program gives those settings. It changes nothing but the key that --config names, and leaves the up to you.",
    "A revision shows its settings (sourceRevisionConfig) and nothing else. The values of secrets, and every other argument, stay as the program gives them now. The command names those; for the last good revision, only those that have changed since. A commit is named too, because a branch is built from its newest one.",
    "With --config KEY it sets the key by which the program reads the value, on three conditions: exactly one argument has to change; the key is set as a plain value that is the argument's old value or a part of it, such as the tag of an image; and the rest of the argument stays. If the program then still gives other settings, the key is set back.",
    "NAME is the name in the program, not the one on the service. If two resources have it, give the URN.",
    STATE_WORDS,
  ],
  options: [
    {
      flag: "--to ID",
      help: "a revision, as `deployment-control revisions` lists it, or last-good: the one that proved itself last, according to the state",
    },
    {
      flag: "--config KEY",
      help: "the configuration key to set; in the project's namespace unless it names one",
    },
    STACK_OPTION,
  ],
  exitCodes: [
    { code: 0, when: "the program gives the revision's settings, and the plan is shown" },
    { code: 1, when: "an option is bad, the preview fails, or Pulumi or the service cannot be asked" },
    { code: 2, when: "the program has to be changed first" },
  ],
};
