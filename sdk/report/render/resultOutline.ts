/** A plan compared with its outcome, in words. */
import { compareTexts } from "../../../provider/schema/words";
import type { Outcome, Result } from "../model";
import type { Entry, Outline, Sheet, Standing } from "./outline";
import { VERDICT_WORDS } from "./words";

/** The signs and labels of the standings, the worst first. */
export const STANDINGS: { readonly [S in Standing]: { readonly sign: string; readonly label: string } } = {
  wrong: { sign: "✗", label: "wrong" },
  failed: { sign: "!", label: "failed" },
  undecided: { sign: "?", label: "undecided" },
  right: { sign: "✓", label: "as planned" },
};

export const resultSheet = (results: readonly Result[]): Sheet => ({
  kind: "result",
  answer: resultHeadline(results),
  counts: "",
  outlines: results.map(outlineOf),
});

function outlineOf(result: Result): Outline {
  const { stack, digest, warnings, outcomes } = result;
  const ranks = Object.keys(STANDINGS);
  const entries = outcomes.map(entryOf);
  return {
    stack,
    digest,
    headline: resultHeadline([result]),
    warnings,
    entries: entries.sort(
      (first, second) =>
        ranks.indexOf(first.tone) - ranks.indexOf(second.tone) || compareTexts(first.name, second.name),
    ),
    rest: [],
  };
}

/** The worst result is a wrong prediction. The second worst is a failure that does not contradict the plan. */
function standing({ right, happened }: Outcome): Standing {
  if (right === false) return "wrong";
  if (happened === "failed") return "failed";
  return right === null ? "undecided" : "right";
}

function entryOf(outcome: Outcome): Entry {
  const { name, predicted, seconds, differences = [], messages } = outcome;
  const tone = standing(outcome);
  // Pulumi says `deleted`, but the service may keep the deployment running.
  const happened =
    outcome.happened === "deleted" ? VERDICT_WORDS.delete.label : outcome.happened.replaceAll("-", " ");
  const aside = [
    tone === "right" ? happened : `planned ${VERDICT_WORDS[predicted].label}, happened ${happened}`,
    revisionText(outcome),
    seconds === null ? "" : `${Math.round(seconds * 10) / 10} s`,
  ];
  return {
    tone,
    ...STANDINGS[tone],
    name,
    aside: aside.filter((part) => part !== "").join("  "),
    changes: [],
    notes: [...differences, ...messages],
  };
}

function resultHeadline(results: readonly Result[]): string {
  const outcomes = results.flatMap((result) => result.outcomes);
  const count = (tone: Standing) => outcomes.filter((each) => standing(each) === tone).length;
  const [right, wrong] = [count("right"), count("wrong")];
  const [undecided, failed] = [count("undecided"), count("failed")];
  const suffix = `${undecided > 0 ? `, ${undecided} undecided` : ""}${failed > 0 ? `, ${failed} failed` : ""}`;
  if (wrong > 0) return `The plan was wrong about ${wrong} of ${outcomes.length}${suffix}`;
  if (right === 0) return `Nothing can be said about the plan${suffix}`;
  const far = failed > 0 ? "As far as it got, the apply" : "The apply";
  return `${far} did what the plan said: ${right} as planned${suffix}`;
}

/** The revision's short id and its status, such as `3f9c2a10 DEPLOYED`; empty if the id and the status are unknown. */
const revisionText = ({ revisionId, revisionStatus }: Outcome): string =>
  [revisionId?.slice(0, 8), revisionStatus].filter((word) => word != null).join(" ");
