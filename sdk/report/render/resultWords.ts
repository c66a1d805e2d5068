/** The words for comparing a plan with its outcome, which all formats share. */
import { canonicalId } from "../../../provider/schema/value";
import { compareTexts } from "../../../provider/schema/words";
import type { Outcome, Result } from "../model";
import { VERDICT_WORDS } from "./words";

export type Standing = "wrong" | "failed" | "undecided" | "right";

export const STANDINGS: { readonly [S in Standing]: { readonly sign: string; readonly label: string } } = {
  wrong: { sign: "✗", label: "wrong" },
  failed: { sign: "!", label: "failed" },
  undecided: { sign: "?", label: "undecided" },
  right: { sign: "✓", label: "as planned" },
};

export const STANDING_ORDER = Object.keys(STANDINGS) as Standing[];

/** A wrong prediction is the worst outcome; next comes a failure that does not contradict the plan. */
export function standing({ right, happened }: Outcome): Standing {
  if (right === false) return "wrong";
  if (happened === "failed") return "failed";
  return right === null ? "undecided" : "right";
}

/** An outcome in words. */
export type OutcomeWords = ReturnType<typeof outcomeWords>[number];

/** The outcomes in words, the worst first, then by name. */
export function outcomeWords({ outcomes }: Result) {
  return outcomes
    .map((outcome) => {
      const { name, predicted, happened, messages } = outcome;
      const stands = standing(outcome);
      return {
        name,
        stands,
        ...STANDINGS[stands],
        predicted: VERDICT_WORDS[predicted].label,
        // Pulumi says `deleted`, but the service may keep the deployment running.
        happened: happened === "deleted" ? VERDICT_WORDS.delete.label : happened.replaceAll("-", " "),
        revision: revisionText(outcome),
        took: outcome.seconds === null ? "" : `${Math.round(outcome.seconds * 10) / 10} s`,
        messages,
      };
    })
    .sort(
      (first, second) =>
        STANDING_ORDER.indexOf(first.stands) - STANDING_ORDER.indexOf(second.stands) ||
        compareTexts(first.name, second.name),
    );
}

export function resultHeadline(results: readonly Result[]): string {
  const outcomes = results.flatMap(({ outcomes }) => outcomes);
  const count = (stands: Standing) => outcomes.filter((each) => standing(each) === stands).length;
  const right = count("right");
  const wrong = count("wrong");
  const undecided = count("undecided");
  const failed = count("failed");
  const suffix = `${undecided > 0 ? `, ${undecided} undecided` : ""}${failed > 0 ? `, ${failed} failed` : ""}`;
  if (wrong > 0) return `The plan was wrong about ${wrong} of ${outcomes.length}${suffix}`;
  if (right === 0) return `Nothing can be said about the plan${suffix}`;
  const far = failed > 0 ? "As far as it got, the apply" : "The apply";
  return `${far} did what the plan said: ${right} as planned${suffix}`;
}

/** The revision's short id and its status, such as `3f9c2a10 DEPLOYED`; empty if both are unknown. */
const revisionText = ({ revisionId, revisionStatus }: Outcome): string =>
  [revisionId === null ? null : canonicalId(revisionId).replace(UUID_REST, ""), revisionStatus]
    .filter((word) => word !== null)
    .join(" ");

/** Everything after the first digits of a UUID. */
const UUID_REST = /(?<=^[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
