/** The warnings about a deployment, for its reviewer. */

import { keptWords } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/record";
import { lossWords } from "../../../provider/deployment/variables";
import { isAbsent, type Properties, UNKNOWN, valueAt } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import { SECRET } from "../model";
import { doubtsOf, type Evaluation, importWarnings, isForbidden, type Subject } from "./case";
import { type Ending, endOfLeftover } from "./ending";

export function warningsFor(subject: Subject, evaluation: Evaluation, ending: Ending | undefined): string[] {
  // The provider's own warnings may repeat a warning of the report; the reviewer sees each warning only once.
  return [...new Set([...ownWarnings(subject, evaluation, ending), ...subject.provider.warnings])];
}

function ownWarnings(subject: Subject, evaluation: Evaluation, ending: Ending | undefined): string[] {
  const { provider, current, resource } = subject;
  const adopts = resource.fate === "create" || provider.adopts !== undefined;
  return [
    ...doubtsOf(subject).warnings,
    ...importWarnings(subject),
    ...disagreement(evaluation, provider.line),
    ...previousFailure(current),
    ...(ending === undefined ? [] : [ending.warning]),
    ...resource.leftovers.map((state) => endOfLeftover(subject, state).warning),
    ...(adopts && provider.line !== undefined ? [provider.line] : []),
    ...branchWarnings(subject, evaluation),
    ...changeWarnings(evaluation),
    ...forbiddenWarnings(subject, evaluation),
    ...inactiveWarnings(current),
  ];
}

function disagreement(
  { providerVerdict, verdict, plan, hasUnnamedSecret }: Evaluation,
  line: string | undefined,
): string[] {
  if (hasUnnamedSecret) return ["a value that is secret changes; the preview does not tell which"];
  if (providerVerdict === undefined || plan === undefined) return [];
  return [
    `the provider said otherwise: "${line}". This report shows the stricter verdict (${verdict}). Check that the report's command and the program's provider have the same version`,
  ];
}

function previousFailure(olds: Properties): string[] {
  const revision = `revision ${olds.latestRevisionId ?? "of unknown id"}`;
  const status = olds.latestRevisionStatus ?? "status unknown";
  if (isDoubtful(olds))
    return ["it is not known whether its last update was applied: the update looks first"];
  if (hasFailed(olds)) return [`its last update failed: ${revision} ended ${status}`];
  if (isUnfinished(olds)) return [`its last update was cut short: ${revision} was ${status}`];
  return olds.incomplete === true ? ["its last update failed; this update finishes it"] : [];
}

const COMMIT = /^[0-9a-f]{40}$/i;

/** A branch may move between review and apply; a tag or a commit should not. */
function branchWarnings({ news }: Subject, { verdict }: Evaluation): string[] {
  const ref = valueAt(news, ["sourceRevisionConfig", "repoRef"]);
  if (verdict === "in-place" || verdict === "unchanged" || typeof ref !== "string") return [];
  if (ref === UNKNOWN || ref === SECRET || ref.startsWith("refs/tags/") || COMMIT.test(ref)) return [];
  return [
    `builds the branch ${escapeControls(ref)} as it is at the apply: its newest commit may not be the one reviewed`,
  ];
}

/** Warnings about values that the service keeps although the program no longer manages them, and about lost values. */
function changeWarnings({ plan }: Evaluation): string[] {
  if (plan === undefined) return [];
  const words = [keptWords(plan), lossWords((plan.otherwise ?? plan).changes)];
  return words.filter((each) => each !== undefined);
}

function forbiddenWarnings(subject: Subject, evaluation: Evaluation): string[] {
  if (!isForbidden(subject, evaluation)) return [];
  return [
    'the stack\'s configuration has newRevisions "forbid", but its own provider is not told: the update makes the revision. Set newRevisions on the provider too',
  ];
}

function inactiveWarnings(olds: Properties): string[] {
  const { latestRevisionId: latest, activeRevisionId: active } = olds;
  if (isAbsent(latest) || isAbsent(active) || latest === active) return [];
  // The option additionalSecretOutputs can hide ids, which then cannot be compared.
  if (latest === SECRET || active === SECRET) return [];
  return [`its newest revision ${latest} is not the one that serves (${active})`];
}
