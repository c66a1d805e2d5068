/** Shows the outcomes of the pending operations, line by line. */
import { numberOf } from "../report/render/words";
import type { Recovered } from "./recover";

/** A line per unsettled operation, a line for all settled ones, and a count. `checks`: whether nothing was written. */
export function linesOf(recovered: readonly Recovered[], checks: boolean): string[] {
  const settled = recovered.filter(({ outcome }) => outcome.kind === "settled").length;
  const open = recovered.filter(({ outcome }) => outcome.kind !== "settled");
  return [
    ...open.map((each) => `${each.label} ${wordsOf(each, checks)}`),
    ...(settled === 0 ? [] : [settledWords(settled)]),
    `${numberOf(open.length, "operation")} pending`,
  ];
}

const FINDS_OUT = "the next `pulumi up` finds out what became of it, if the program still declares it";

function wordsOf({ operation, outcome }: Recovered, checks: boolean): string {
  const kind = operation.type === "creating" ? "creation" : "update";
  switch (outcome.kind) {
    case "recorded":
      return checks
        ? `has its ${kind} pending. Without --check, this writes the ${kind} into the journal`
        : `has its ${kind} in the journal now: ${FINDS_OUT}`;
    case "journalled":
      return `has its ${kind} in this machine's journal already: ${FINDS_OUT}`;
    case "doubtful":
      return `is in doubt: ${outcome.why}. Compare the service with the program; then run ${CLEAR}`;
    default:
      return `has its ${kind} pending, which the next \`pulumi up\` repeats${kind === "creation" ? " without harm" : STALE}`;
  }
}

const STALE = ". If the program has changed since, run `pulumi refresh` first";

const CLEAR = "`pulumi refresh --clear-pending-creates`";

const settledWords = (count: number): string =>
  `${numberOf(count, "pending creation")} settled: the state has what was created. The engine's warning ends with ${CLEAR}`;
