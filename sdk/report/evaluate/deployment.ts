/** Evaluates one deployment. The provider's line gives the verdict. The recorded plan gives the reasons. */

import { argumentsOf } from "../../../provider/deployment/arguments";
import { owesRevision } from "../../../provider/deployment/record";
import type { RecordedChange } from "../../../provider/diff/recorded";
import { sameValue } from "../../../provider/schema/compare";
import {
  hasUnknown,
  isAbsent,
  type Properties,
  propertiesIn,
  UNKNOWN,
  valueAt,
  valuesAt,
} from "../../../provider/schema/value";
import {
  type DeploymentReport,
  type Reason,
  type ReportVerdict,
  SECRET,
  stricter,
  UNKNOWN_VALUE,
} from "../model";
import { REPORT_VERDICTS } from "../read/lines";
import { doubtsOf, type Evaluated, type Evaluation, isForbidden, type Subject } from "./case";
import { endOfDeployment } from "./ending";
import { reasonOf } from "./reasons";
import { commonOf } from "./warnings";

/** The report on the deployment. `refusal`: why `pulumi up` fails on the deployment although the preview passed. */
export function evaluateDeployment(subject: Subject): Evaluated<DeploymentReport> {
  const { resource, olds, news, dependents } = subject;
  const evaluation = evaluationOf(subject);
  const { verdict, reasons, otherwise } = evaluation;
  const ending = endOfDeployment(subject, evaluation);
  const generationAfter = otherwise === undefined ? numberOf(news.revisionGeneration) : null;
  const current = Object.keys(news).length > 0 ? news : olds;
  const report = {
    ...commonOf(subject, evaluation, ending),
    deploymentName: textOf(current.name),
    verdict,
    reasons: [...reasons],
    secrets: secretsIn(subject, reasons),
    generation: { before: numberOf(olds.revisionGeneration), after: generationAfter },
    builtFrom: builtFrom(current),
    ...(ending?.isDown ? { isDown: true as const } : {}),
    ...(ending?.mayStay ? { mayStay: true as const } : {}),
    ...(otherwise === undefined ? {} : { otherwise }),
    ...(resource.leftovers.length === 0 ? {} : { leftovers: resource.leftovers.map(({ id = "" }) => id) }),
    ...(isForbidden(subject, evaluation) ? { forbidden: true as const } : {}),
    previousFailure: hasPreviousFailure(subject),
    listenerId: textOf(valueAt(current, ["sourceConfig", "listenerId"])),
    dependents: MAKES_REVISION.includes(verdict) ? [...dependents] : [],
  };
  return { report, refusal: ending?.refusal };
}

const MAKES_REVISION: readonly ReportVerdict[] = ["replace", "new-revision", "may-create-revision"];

/** The evaluation. If there are doubts about the deployment, its verdict is at least `may-create-revision`. */
function evaluationOf(subject: Subject): Evaluation {
  const { verdict, otherwise } = decisionOn(subject);
  const strictest = doubtsOf(subject).isOpen ? stricter(verdict, "may-create-revision") : verdict;
  const changes = (subject.plan?.changes ?? []).filter((change) => !isApplied(change, subject));
  return { verdict: strictest, reasons: changes.map(reasonOf), otherwise };
}

/** Whether a failed update has already applied the change. The engine keeps the old inputs after a failed update. */
function isApplied({ path, after }: RecordedChange, { resource, olds, news }: Subject): boolean {
  if (resource.fate !== "update") return false;
  // A preview masks the values of secrets, so the secrets' generations are compared instead.
  const place = path.replace(/^secrets\./, "secretGenerations.");
  if ([olds, news].some((side) => isHiddenAbove(side, place))) return false;
  const valueIn = (side: Properties) => valuesAt(side, place).find((value) => !isAbsent(value));
  const [was, is] = [valueIn(olds), valueIn(news)];
  if (after === undefined) return was === undefined && is === undefined;
  return is !== undefined && is !== SECRET && !hasUnknown(is) && sameValue(was, is);
}

/** Whether the preview masks, or does not know, an object that contains the path. */
const isHiddenAbove = (side: Properties, path: string): boolean =>
  path.split(".").some((_name, depth, names) => {
    const above = names.slice(0, depth).join(".");
    return valuesAt(side, above).some((value) => value === SECRET || value === UNKNOWN);
  });

function decisionOn({ resource, provider, plan }: Subject): Pick<Evaluation, "verdict" | "otherwise"> {
  switch (resource.fate) {
    case "create":
      // A creation makes a revision, or changes something in place, only if it takes over a deployment.
      return { verdict: provider.verdict ?? REPORT_VERDICTS[plan?.verdict ?? "create"] };
    case "update":
      return { verdict: provider.verdict ?? "may-create-revision", otherwise: provider.otherwise };
    case "replace":
      return provider.otherwise === undefined || resource.isReplacedAnyway
        ? { verdict: "replace" }
        : { verdict: provider.verdict ?? "replace", otherwise: provider.otherwise };
    case "delete":
    case "leftover":
      return { verdict: "delete" };
    default:
      return { verdict: "unchanged" };
  }
}

const hasPreviousFailure = ({ olds, provider, failedRevisions }: Subject): boolean =>
  provider.isOwed ||
  owesRevision(olds) ||
  olds.incomplete === true ||
  failedRevisions.has(olds.latestRevisionId);

/** The names of the secrets that change. For a creation, the names of all secrets. */
function secretsIn({ news, resource }: Subject, reasons: readonly Reason[]): DeploymentReport["secrets"] {
  if (resource.fate === "create")
    return { added: Object.keys(propertiesIn(news.secretGenerations)), changed: [], removed: [] };
  const changes = reasons.filter(({ path }) => path.startsWith("secrets."));
  const namesOf = (is: (reason: Reason) => boolean) =>
    changes.filter(is).map(({ path }) => path.slice("secrets.".length));
  return {
    added: namesOf(({ before, moves }) => before === null || moves === true),
    changed: namesOf(({ before, after, moves }) => before !== null && after !== null && !moves),
    removed: namesOf(({ after }) => after === null),
  };
}

function builtFrom(current: Properties): string | null {
  const args = argumentsOf(current);
  const textAt = (name: string) => textOf(valueAt(args, ["sourceRevisionConfig", name]));
  return textAt("imageUri") ?? textAt("repoRef") ?? textAt("sourceTarballPath");
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function textOf(value: unknown): string | null {
  if (value === UNKNOWN) return UNKNOWN_VALUE;
  return typeof value === "string" ? value : null;
}
