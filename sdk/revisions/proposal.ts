/** Shows a proposed rollback, in each format. Callers mask the secrets that a service or a preview may quote. */
import type { Difference } from "../../provider/schema/compare";
import { inDynamicForm } from "../../provider/schema/naming";
import type { DeploymentReport, Report } from "../report/model";
import { reportJson, visible } from "../report/render/escape";
import { FORMATS } from "../report/render/formats";
import type { FormatOptions } from "../report/render/words";
import type { History } from "./history";
import { changeLine, shownChange } from "./show";
import type { Remains, Target } from "./wayBack";

/** A key of the stack's configuration, with the values before and after the command set it. */
export interface Setting {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

export interface Proposal {
  readonly history: History;
  readonly target: Target;
  /** The changes that the rollback needs in the program's arguments. Computed before the command sets a key. */
  readonly changes: readonly Difference[];
  readonly remains: Remains;
  /** The key that was set; undefined if no key was set, or if the old value was restored. */
  readonly setting?: Setting;
  /** Why the program or the state has to change before `pulumi up`; undefined if neither has to. */
  readonly refusal?: string;
  /** The plan for the rollback; undefined after a refusal. */
  readonly plan?: Report;
}

export const ROLLBACK_FORMATS: {
  readonly [F in "text" | "json"]: (proposal: Proposal, options?: FormatOptions) => string;
} = { text, json };

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${visible(line)}\n`).join("");

function text(proposal: Proposal, options?: FormatOptions): string {
  const { history, target, changes, remains, setting, plan } = proposal;
  const before = [
    targetLine(target, history),
    ...changes.map((change) => `  ${changeLine(change, history)}`),
    ...remainsLines(remains),
    ...(setting === undefined
      ? []
      : [`${setting.key}: ${setting.before} -> ${setting.after}, set in the stack's configuration`]),
  ];
  const planText = plan === undefined ? "" : FORMATS.text.plan([plan], options);
  const end = plan?.failure === null ? [verdictLine(proposal)] : [];
  return linesOf(before) + planText + linesOf(end);
}

/** Times are in ISO 8601. Durations are in seconds. An unknown time or duration is null. */
function json(proposal: Proposal): string {
  const { history, target, changes, remains, setting, refusal, plan } = proposal;
  const { id, status, createdAt, seconds } = target.revision;
  return reportJson([
    {
      schemaVersion: 1,
      urn: history.deployment.urn,
      name: history.name,
      id: history.deployment.id,
      target: {
        revision: id,
        stepsBack: target.stepsBack,
        status,
        createdAt: createdAt === undefined ? null : new Date(createdAt).toISOString(),
        seconds: seconds ?? null,
      },
      changes: changes.map((change) => shownChange(change, history)),
      notBroughtBack: {
        arguments: remains.paths,
        source: remains.source ?? null,
        commit: remains.commit ?? null,
      },
      setting: setting ?? null,
      refusal: refusal ?? null,
      verdict: plan === undefined ? null : verdictOf(proposal),
      plan: plan ?? null,
    },
  ]);
}

/** The verdict on the deployment; "unchanged" if the plan omits the deployment. */
export function verdictOf({ plan, history }: Pick<Proposal, "plan" | "history">) {
  const recordedUrn = inDynamicForm(history.deployment.urn);
  return plan?.deployments.find(({ urn }) => inDynamicForm(urn) === recordedUrn)?.verdict ?? "unchanged";
}

const backWords = ({ stepsBack }: Target): string =>
  stepsBack === 0 ? "the newest one" : `the one ${stepsBack} back`;

function targetLine(target: Target, history: History): string {
  const { id, status, createdAt } = target.revision;
  const creationWords = createdAt === undefined ? "" : `, made ${new Date(createdAt).toISOString()}`;
  const warning = status === "DEPLOYED" ? "" : `. It ended ${status}, so its settings may not work`;
  return `${history.name}: back to revision ${id}, ${backWords(target)}${creationWords}${warning}`;
}

/** Lines about the arguments, source and commit that the rollback does not bring back; empty if there are none. */
export function remainsLines({ paths, source, commit }: Remains): string[] {
  const remains = [
    paths.length > 0 &&
      `${paths.join(", ")}, which the service does not show for that revision: the program's values stay`,
    source !== undefined &&
      `the source ${source}, from which that revision was built; the program sets it with revisionSource`,
    commit !== undefined &&
      `commit ${commit}; the new revision is built from the commit that its ref names then`,
  ];
  return remains.filter((each) => each !== false).map((each) => `not brought back: ${each}`);
}

const VERBS: { readonly [V in DeploymentReport["verdict"]]?: string } = {
  "new-revision": "creates a new revision",
  "may-create-revision": "may create a new revision",
  replace: "is replaced",
};

/** Says what the plan does once the program has the settings of the target revision. */
function verdictLine(proposal: Proposal): string {
  const verb = VERBS[verdictOf(proposal)];
  const { target, history } = proposal;
  return verb === undefined
    ? `${history.name}: creates no new revision: the newest one has these settings`
    : `${history.name}: ${verb}, with the settings of ${backWords(target)}`;
}
