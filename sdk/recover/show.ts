/** Shows what became of each pending operation, in one line. */
import { numberOf } from "../report/render/words";
import type { Recovered, RecoveryOutcome } from "./recover";

/** A line for each operation, and a last line with the counts. `checks`: whether the command wrote nothing. */
export function linesOf(recovered: readonly Recovered[], checks: boolean): string[] {
  const settledCreations = recovered.filter(({ outcome }) => outcome.kind === "settled");
  const open = recovered.filter((each) => !settledCreations.includes(each));
  return [
    ...open.map((each) => `${each.label} ${wordsOf(each, checks)}`),
    ...(settledCreations.length === 0 ? [] : [settledWords(settledCreations.length)]),
    countsOf(open.map(({ outcome }) => outcome)),
  ];
}

function wordsOf({ operation, outcome }: Recovered, checks: boolean): string {
  const isCreation = operation.type === "creating";
  const kind = isCreation ? "creation" : "update";
  const continuation = checks
    ? "without --check, the next update would take it over"
    : "the next update takes it over";
  switch (outcome.kind) {
    case "proven":
      return isCreation
        ? `was created by the killed run (id ${outcome.id}); ${continuation}`
        : `got revision ${outcome.revisionId} from the killed run; ${continuation}`;
    case "journalled":
      return `has its ${kind} in this machine's journal, and the next update continues from there`;
    case "absent":
      return isCreation
        ? "was not created; the next update creates it"
        : "was not updated; the next `pulumi up` sends the update";
    case "underWay":
      return `is in doubt: nothing of its ${kind} is there, but the request may still arrive within ${outcome.seconds} s. Without --check this waits until then`;
    case "doubtful":
      return `is in doubt: ${outcome.why}${outcome.id === undefined ? "" : ` (id ${outcome.id})`}. ${isCreation ? wayOutOfCreation(outcome.id) : WAY_OUT_OF_UPDATE}`;
    default:
      return `has ${isCreation ? "a creation" : "an update"} that the next update repeats without harm`;
  }
}

const CLEAR = "`pulumi refresh --clear-pending-creates`";

const wayOutOfCreation = (id: string | undefined): string =>
  id === undefined
    ? `Look for it on the service; then run ${CLEAR}`
    : `If it is this stack's, set adopt: "${id}" in the program; otherwise remove it from the service. Then run ${CLEAR}`;

const WAY_OUT_OF_UPDATE =
  "Compare it with the program. `pulumi up` sends the update again, which may make one more revision; `pulumi refresh` records what the service has";

const settledWords = (count: number): string =>
  `${numberOf(count, "pending creation")} settled: the state has what was created. The engine's warning ends with ${CLEAR}`;

function countsOf(outcomes: readonly RecoveryOutcome[]): string {
  const count = (...kinds: readonly RecoveryOutcome["kind"][]): number =>
    outcomes.filter(({ kind }) => kinds.includes(kind)).length;
  return `${count("proven", "journalled")} to take over, ${count("absent", "repeatable")} to repeat, ${count("doubtful", "underWay")} in doubt`;
}
