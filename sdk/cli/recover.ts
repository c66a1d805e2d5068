/** `deployment-control recover`: records the requests that a killed run left pending. */
import { z } from "zod";
import { pulumiOutput, stackArguments } from "../processes";
import { recover } from "../recover/recover";
import { linesOf } from "../recover/show";
import { pendingStateIn } from "../recover/state";
import { checkDocument, documentsIn } from "../report/read/documents";
import { say, stackExport } from "./input";
import { type CommandPage, type FlagRows, flagsIn, stackRow } from "./page";

const rows = {
  stack: stackRow,
  file: {
    value: "EXPORT",
    help: "the state, from `pulumi stack export --show-secrets`; `-` for standard input. The stack's history is read only if --stack is set too; otherwise a deployment must be newer than the stack",
  },
  check: { help: "writes nothing" },
} as const satisfies FlagRows;

/** Exit codes: 2 if something is still pending; 1 if the input is bad or the journal cannot be written. */
export async function runRecover(args: readonly string[]): Promise<void> {
  const line = flagsIn(RECOVER_PAGE, args);
  if (line === undefined) return;
  const { file, stack, check: checks = false } = line.values;
  const state = pendingStateIn(await stackExport(file, stack));
  if (state.operations.length === 0)
    return say("nothing is pending in the state, so there is nothing to recover");
  const since = file === undefined || stack !== undefined ? killedSince(stack) : undefined;
  const recovered = await recover(state, {
    since: since ?? state.createdAt,
    checks,
    environment: process.env,
  });
  for (const line of linesOf(recovered, checks)) say(line);
  if (recovered.some(({ outcome }) => outcome.kind !== "settled")) process.exitCode = 2;
}

const history = z.array(
  z.looseObject({
    result: z.string().optional(),
    startTime: z.string().optional(),
    endTime: z.string().optional(),
  }),
);

/**
 * The earliest time at which the killed update may have sent requests. If the newest update in the history succeeded,
 * the history lacks the killed update, which began later. Otherwise, the newest update is the killed update.
 */
function killedSince(stack: string | undefined): string | undefined {
  const args = [
    "stack",
    "history",
    "--json",
    "--page-size",
    "1",
    "--non-interactive",
    ...stackArguments(stack),
  ];
  const source = "pulumi stack history";
  const [updates] = documentsIn(pulumiOutput(args, "--file"), source, "a list of updates");
  const [newest] = checkDocument(history, updates, `${source}: `);
  const since = newest?.result === "succeeded" ? newest.endTime : newest?.startTime;
  return Number.isNaN(Date.parse(since ?? "")) ? undefined : since;
}

export const RECOVER_PAGE = {
  name: "recover",
  usage: "deployment-control recover [OPTIONS]",
  about: [
    "Writes down what the state says a killed run had under way on another machine, so that the next `pulumi up` finds out what became of it. Sends nothing to the service.",
    "Run it before `pulumi up`, with the same environment, while no other run of the stack is under way.",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "nothing was pending" },
    {
      code: 1,
      when: "an option or the state is bad, Pulumi cannot be asked, or the journal cannot be written",
    },
    { code: 2, when: "something is pending; each line says what" },
  ],
} as const satisfies CommandPage;
