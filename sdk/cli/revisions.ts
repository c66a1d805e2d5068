/** `deployment-control revisions`: shows the revisions of one of the program's deployments. */
import { wholeLog } from "../../provider/polling/logs";
import { choice, integerFrom } from "../../provider/schema/kind";
import { redacted } from "../../provider/schema/secrecy";
import { deploymentsIn } from "../recover/state";
import { deploymentNamed, type History, historyOf } from "../revisions/history";
import { REVISION_FORMATS } from "../revisions/show";
import { stackExport } from "./input";
import { type CommandPage, type FlagRows, flagsIn, stackRow } from "./page";

/** The flags that `revisions` and `rollback` share, because these commands read the state of a stack. */
export const stateRows = {
  format: { kind: choice("text", "json"), help: "output format", initial: "text" },
  stack: stackRow,
  file: {
    value: "EXPORT",
    help: "the state, from `pulumi stack export --show-secrets`; `-` for standard input",
  },
} as const satisfies FlagRows;

const { format, ...ofState } = stateRows;
const rows = {
  format,
  limit: { kind: integerFrom(1), help: "how many revisions to show", initial: "10" },
  log: { value: "ID", help: "prints the logs of the build and of the deployment of this revision instead" },
  ...ofState,
} as const satisfies FlagRows;

/** Exit codes: 1 if the input is bad or a request fails. */
export async function runRevisions(args: readonly string[]): Promise<void> {
  const line = flagsIn(REVISIONS_PAGE, args, true);
  if (line === undefined) return;
  const { values, positionals } = line;
  const name = onlyName("revisions", positionals);
  const deployments = deploymentsIn(await stackExport(values.file, values.stack));
  const history = await historyOf(deploymentNamed(name, deployments), process.env);
  if (values.log !== undefined) return printLog(history, values.log);
  const newest = { ...history, revisions: history.revisions.slice(0, values.limit) };
  process.stdout.write(redacted(REVISION_FORMATS[values.format](newest)));
}

/** Prints the revision's build log, and then the revision's deploy log. */
async function printLog({ deployment: { id }, endpoints }: History, revisionId: string): Promise<void> {
  const lines = await wholeLog(endpoints, id, revisionId, "build");
  lines.push(...(await wholeLog(endpoints, id, revisionId, "deploy")));
  await endpoints.close();
  if (lines.length === 0) throw new Error(`--log: the service shows no log of revision ${revisionId}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The one name that the command takes. Throws an Error if the command line has no name or several names. */
export function onlyName(command: string, positionals: readonly string[]): string {
  const [name] = positionals;
  if (name !== undefined && positionals.length === 1) return name;
  throw new Error(
    `${command}: expected the name of one deployment in the program, got ${positionals.length}; see deployment-control ${command} --help`,
  );
}

export const STATE_WORDS =
  "The state, read with `pulumi stack export --show-secrets` through a pipe, names the service; variables of the environment win. Only reads are sent, and no secret is shown.";

export const REVISIONS_PAGE = {
  name: "revisions",
  usage: "deployment-control revisions NAME [OPTIONS]",
  about: [
    "Shows the revisions of a deployment, newest first: id, age, status and duration; which one serves, which was the last good one, what differs from the one before, and why it failed.",
    "NAME is the name in the program, not the one on the service. If two resources have it, use the URN.",
    STATE_WORDS,
  ],
  rows,
  exitCodes: [
    { code: 0, when: "the revisions are shown" },
    { code: 1, when: "an option or the state is bad, or Pulumi or the service cannot be asked" },
  ],
} as const satisfies CommandPage;
