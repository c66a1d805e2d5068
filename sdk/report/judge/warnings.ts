/** What a reviewer should know of a deployment beside its verdict. */
import { lossWords } from "../../../provider/deployment/foreignSecrets";
import { keptWords } from "../../../provider/deployment/plan";
import { hasFailed, isDoubtful, isUnfinished } from "../../../provider/deployment/state";
import { isAbsent, type Properties, UNKNOWN, valueAt } from "../../../provider/fields/value";
import { escapeControls } from "../../../provider/fields/words";
import { SECRET } from "../model";
import { endOfLeftover, type Judgement, notUnderstoodWarnings, type Subject } from "./case";
import { type Ending, endingWords } from "./ending";

export function warningsFor(subject: Subject, judgement: Judgement, ending: Ending | undefined): string[] {
  // The provider says some of it too; in a preview of which it could not tell, the report alone does.
  return [...new Set([...ownWarnings(subject, judgement, ending), ...subject.heard.warnings])];
}

function ownWarnings(subject: Subject, judgement: Judgement, ending: Ending | undefined): string[] {
  const { heard, olds } = subject;
  return [
    ...notUnderstoodWarnings(subject),
    ...disagreement(judgement, heard.line),
    ...previously(olds),
    ...destroyed(subject, judgement, ending),
    ...leftBehind(subject),
    ...(heard.adopts === undefined || heard.line === undefined ? [] : [heard.line]),
    ...moved(subject, judgement),
    ...kept(judgement),
    ...lost(judgement),
    ...otherServes(olds),
  ];
}

function disagreement({ said, verdict, plan, inTheDark }: Judgement, line: string | undefined): string[] {
  if (inTheDark) return ["a value that is secret changes; the preview does not tell which"];
  if (said === undefined || plan === undefined) return [];
  return [
    `the provider said otherwise: "${line}". The stricter of both stands here (${verdict}); is the report's command of the same version as the program's provider?`,
  ];
}

function previously(olds: Properties): string[] {
  const revision = `revision ${olds.latestRevisionId ?? "of unknown id"}`;
  const status = olds.latestRevisionStatus ?? "status unknown";
  if (isDoubtful(olds)) return ["it is not known whether its last update was applied: the up looks first"];
  if (hasFailed(olds)) return [`its last update failed: ${revision} ended ${status}`];
  if (isUnfinished(olds)) return [`its last update was cut short: ${revision} was ${status}`];
  return olds.incomplete === true ? ["its last update failed and is finished by this one"] : [];
}

const STAYS = "stays on the service and goes on running; the program only forgets it";

function destroyed(
  { resource }: Subject,
  { verdict, otherwise }: Judgement,
  ending: Ending | undefined,
): string[] {
  if (ending === undefined) return [];
  const kind = verdict === "delete" ? "the deployment" : "the old deployment";
  const words = endingWords(ending, `${kind} ${resource.before?.id ?? ""}`.trim(), STAYS);
  return [otherwise === undefined ? words : `if it is replaced: ${words}`];
}

/** Of an earlier replacement whose deletion failed. */
function leftBehind(subject: Subject): string[] {
  return subject.resource.leftovers.map((state) => {
    const old = `an old deployment of an earlier replacement, ${escapeControls(state.id ?? "of unknown id")},`;
    const ending = endOfLeftover(subject, state);
    return endingWords(ending, old, "stays; the program forgets it");
  });
}

const COMMIT = /^[0-9a-f]{40}$/i;

/** A branch may move between review and apply; a tag or a commit should not. */
function moved({ news }: Subject, { verdict }: Judgement): string[] {
  const ref = valueAt(news, ["sourceRevisionConfig", "repoRef"]);
  if (verdict === "in-place" || verdict === "unchanged" || typeof ref !== "string") return [];
  if (ref === UNKNOWN || ref === SECRET || ref.startsWith("refs/tags/") || COMMIT.test(ref)) return [];
  return [
    `builds the branch ${escapeControls(ref)} as it is at the apply: its newest commit may not be the one reviewed`,
  ];
}

function kept({ plan }: Judgement): string[] {
  const words = plan === undefined ? undefined : keptWords(plan);
  return words === undefined ? [] : [words];
}

function lost({ plan }: Judgement): string[] {
  const words = plan === undefined ? undefined : lossWords((plan.otherwise ?? plan).changes);
  return words === undefined ? [] : [words];
}

function otherServes(olds: Properties): string[] {
  const { latestRevisionId: latest, activeRevisionId: active } = olds;
  if (isAbsent(latest) || isAbsent(active) || latest === active) return [];
  // The option additionalSecretOutputs hides ids: nothing tells whether the two are one.
  if (latest === SECRET || active === SECRET) return [];
  return [`its newest revision ${latest} is not the one that serves (${active})`];
}
