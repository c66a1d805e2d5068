/** The common members of the reports on deployments and listeners, such as the warnings for a reviewer. */

import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/record";
import { type Properties, UNKNOWN, valueAt } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import { SECRET } from "../model";
import type { EngineState } from "../read/preview";
import { adoptedBy, doubtsOf, type Evaluation, importWarnings, isForbidden, type Subject } from "./case";
import type { Ending } from "./ending";
import { serviceOf } from "./service";

/** The members that the reports on deployments and listeners share, apart from the verdict and its reasons. */
export function commonOf(subject: Subject, evaluation: Evaluation, ending: Ending | undefined) {
  const { resource, provider } = subject;
  const { urn, name, before, imports } = resource;
  return {
    urn,
    name,
    id: before?.id ?? adoptedBy(subject) ?? imports ?? null,
    // The provider's own warnings may repeat a warning of the report.
    warnings: [...new Set([...ownWarnings(subject, evaluation, ending), ...provider.warnings])],
    ...doubtsOf(subject).member,
    fate: ending?.fate ?? null,
    service: serviceOf(resource),
  };
}

function ownWarnings(subject: Subject, evaluation: Evaluation, ending: Ending | undefined): string[] {
  const { provider, olds, resource } = subject;
  return [
    ...doubtsOf(subject).warnings,
    ...importWarnings(subject),
    ...previousFailure(olds, resource.fate === "delete" ? "" : "; this update finishes it"),
    ...(ending === undefined ? [] : [ending.warning]),
    ...resource.leftovers.map(leftoverWarning),
    ...(isUnexplained(subject, evaluation) && provider.line !== undefined ? [provider.line] : []),
    ...branchWarnings(subject, evaluation),
    ...forbiddenWarnings(subject, evaluation),
  ];
}

/**
 * Whether only the provider's line explains the verdict. Examples are an adoption, unfinished work of an earlier
 * update, and a return to the arguments from before a failed update.
 */
function isUnexplained(
  { resource, plan, provider, olds }: Subject,
  { reasons, verdict }: Evaluation,
): boolean {
  if (resource.fate === "create" || plan?.adopts !== undefined) return true;
  if (previousFailure(olds).length === 0) return provider.isOwed || reasons.length === 0;
  return verdict !== "unchanged" && reasons.length === 0 && !provider.isOwed;
}

function previousFailure(olds: Properties, next = ""): string[] {
  const revision = `revision ${olds.latestRevisionId ?? "of unknown id"}`;
  const status = olds.latestRevisionStatus ?? "status unknown";
  if (isDoubtful(olds))
    return ["it is not known whether its last update was applied: the update looks first"];
  if (hasFailed(olds)) return [`its last update failed: ${revision} ended ${status}`];
  if (isUnfinished(olds)) return [`its last update was cut short: ${revision} was ${status}`];
  return olds.incomplete === true ? [`its last update failed${next}`] : [];
}

const leftoverWarning = ({ id = "of unknown id" }: EngineState): string =>
  `the old one of an earlier replacement, ${escapeControls(id)}, leaves the stack: onDestroy and its options decide whether the service deletes it`;

const COMMIT = /^[0-9a-f]{40}$/i;

/** A branch may move between review and apply. Tags and commits are expected to stay. */
function branchWarnings({ news }: Subject, { verdict }: Evaluation): string[] {
  const ref = valueAt(news, ["sourceRevisionConfig", "repoRef"]);
  if (verdict === "in-place" || verdict === "unchanged" || typeof ref !== "string") return [];
  if (ref === UNKNOWN || ref === SECRET || ref.startsWith("refs/tags/") || COMMIT.test(ref)) return [];
  return [
    `builds the branch ${escapeControls(ref)} as it is at the apply: its newest commit may not be the one reviewed`,
  ];
}

function forbiddenWarnings(subject: Subject, evaluation: Evaluation): string[] {
  if (!isForbidden(subject, evaluation)) return [];
  return [
    'the stack\'s configuration has newRevisions "forbid", but its own provider is not told: the update makes the revision. Set newRevisions on the provider too',
  ];
}
