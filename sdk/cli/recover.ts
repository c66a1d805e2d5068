/** `deployment-control recover`: proves which requests of a killed run took effect, and writes them to the journal. */
import { z } from "zod";
import { recover } from "../recover/recover";
import { linesOf } from "../recover/show";
import { pendingStateIn } from "../recover/state";
import { checkDocument, documentsIn } from "../report/read/documents";
import { say, stackExport } from "./input";
import { type CommandPage, type FlagRows, flagsIn, stackRow } from "./page";
import { pulumiOutput, stackArguments } from "./processes";

const rows = {
  stack: stackRow,
  file: {
    value: "EXPORT",
    help: "the state, from `pulumi stack export --show-secrets`; `-` for standard input. The stack's history is read only if --stack is set too; otherwise a deployment must be newer than the stack",
  },
  check: { help: "writes nothing, and waits for nothing" },
} as const satisfies FlagRows;

/** Exit codes: 2 if something stays in doubt; 1 if the input is bad or the service cannot be asked. */
export async function runRecover(args: readonly string[]): Promise<void> {
  const line = flagsIn(RECOVER_PAGE, args);
  if (line === undefined) return;
  const { file, stack, check: checks = false } = line.values;
  const state = pendingStateIn(await stackExport(file, stack));
  if (state.operations.length === 0)
    return say("nothing is pending in the state, so there is nothing to recover");
  if (state.operations.some(({ inputs }) => inputs.isSealed))
    say(
      "the export hides secrets, so they are not compared, and the next update sends them again: export with --show-secrets",
    );
  const since = file === undefined || stack !== undefined ? lastEnd(stack) : undefined;
  const recovered = await recover(state, {
    since: since ?? state.createdAt,
    checks,
    environment: process.env,
    say,
  });
  for (const line of linesOf(recovered, checks)) say(line);
  const isDoubtful = recovered.some(({ outcome: { kind } }) => kind === "doubtful" || kind === "underWay");
  if (isDoubtful) process.exitCode = 2;
}

/** The flags that ask for the ten newest updates: the newest one may be the killed update, which has no end time. */
const NEWEST = ["--page-size", "10"];
const history = z.array(z.looseObject({ endTime: z.string().optional() }));

/** When the last update ended; undefined if none has ended. A killed update is not listed, or has no end time. */
function lastEnd(stack: string | undefined): string | undefined {
  const args = ["stack", "history", "--json", ...NEWEST, "--non-interactive", ...stackArguments(stack)];
  const source = "pulumi stack history";
  const [updates] = documentsIn(pulumiOutput(args, "--file"), source, "a list of updates", false);
  const ends = checkDocument(history, updates, `${source}: `).map(({ endTime = "" }) => endTime);
  return ends
    .filter((end) => !Number.isNaN(Date.parse(end)))
    .sort()
    .at(-1);
}

export const RECOVER_PAGE = {
  name: "recover",
  usage: "deployment-control recover [OPTIONS]",
  about: [
    "Finds out what a killed run did on another machine. It compares each operation that the state names as under way with the service, and sends only reads.",
    "Run it before `pulumi up`, with the same environment, while no other run of the stack is under way. The next update takes over everything proven; everything else is named, with what to do.",
    "If the service shows nothing of a request, the command waits until it can no longer arrive (10 s after its time-out).",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "nothing is left in doubt" },
    { code: 1, when: "an option or the state is bad, or Pulumi or the service cannot be asked" },
    { code: 2, when: "something is left in doubt; each line says what" },
  ],
} as const satisfies CommandPage;
