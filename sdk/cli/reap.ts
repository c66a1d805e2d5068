/** `deployment-control reap`: lists, or deletes, the deployments that closed pull requests have left on the service. */
import { statSync } from "node:fs";
import type { Connection } from "../../provider/client/connection";
import { type Endpoints, httpEndpoints } from "../../provider/client/endpoints";
import { deploymentsOf } from "../adopt/read/account";
import { claimIn, type Judged, judge, type Keep, keepIn, previewPattern } from "../reap/leftOver";
import { remove } from "../reap/removal";
import { numberOf } from "../report/show/words";
import { environmentConnection, say, sourceIn } from "./input";
import { type CommandPage, connectionRow, type FlagRows, flagsIn } from "./page";

const rows = {
  match: {
    value: "GLOB",
    help: "the names of previews; * and ? as in a shell, after at least three other characters",
  },
  keep: {
    value: "FILE",
    help: "the names that stay, one a line; `-` for standard input. Each has to match --match, and # begins a comment. An empty file is refused, because a failed command leaves an empty file; if no request is open, write a comment",
  },
  state: {
    value: "FILE",
    multiple: true,
    help: "the output of `pulumi stack export`, `-` for standard input: whatever it names stays. Give one for each stack of the account",
  },
  delete: { help: "deletes what is left over; without it the command sends only reads" },
  connection: connectionRow,
} as const satisfies FlagRows;

/** Exit codes: 2 if something is left over; 1 if the input is bad or the service cannot be asked. */
export async function runReap(args: readonly string[]): Promise<void> {
  const line = flagsIn(REAP_PAGE, args);
  if (line === undefined) return;
  const { match, keep, state: states = [], delete: deletes = false, connection: name } = line.values;
  if (match === undefined)
    throw new Error("--match: is missing; give the names of previews, such as 'chat-pr-*'");
  const pattern = previewPattern(match);
  if (keep === undefined)
    throw new Error(
      "--keep: is missing; give the file with the names of the previews that are open, one a line",
    );
  if ([keep, ...states].filter((file) => file === "-").length > 1)
    throw new Error("`-`: standard input can be read only once");
  const list = await readKeep(keep, match);
  const claims = (await Promise.all(states.map(sourceIn))).map(claimIn);
  const connection = environmentConnection("reap", name);
  const endpoints = httpEndpoints(connection, connection.profile);
  try {
    const deployments = await deploymentsOf(endpoints, connection);
    const judged = judge(deployments, pattern, list, claims, endpoints.clockAhead);
    await report(judged, { match, deletes, isCompared: claims.length > 0 }, endpoints, connection);
  } finally {
    await endpoints.close();
  }
}

/** Reads the list of names. Reads the file's time first and then its text, so the list never seems newer than it is. */
async function readKeep(file: string, match: string): Promise<Keep> {
  const writtenAt = file === "-" ? Date.now() : statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return keepIn(await sourceIn(file), match, writtenAt ?? 0);
}

interface Wanted {
  readonly match: string;
  readonly deletes: boolean;
  /** Whether the command line gave the states of stacks. */
  readonly isCompared: boolean;
}

async function report(
  judged: readonly Judged[],
  { match, deletes, isCompared }: Wanted,
  endpoints: Endpoints,
  connection: Connection,
): Promise<void> {
  const { profile, baseUrl } = connection;
  const leftOver = judged.filter(({ reason }) => reason === undefined);
  const canDelete = deletes && profile.capabilities.deleteDeployment;
  let remaining = leftOver.length;
  for (const { live, reason } of judged) {
    const { name, status, createdAt } = live.values;
    const place = `${name} (${live.id}, ${status}, created ${createdAt})`;
    if (reason !== undefined) say(`${place}: stays: ${reason}`);
    else if (!canDelete) say(`${place}: is left over`);
    else {
      const { isGone, words } = await remove(live, endpoints, connection);
      if (isGone) remaining -= 1;
      say(`${place}: ${words}`);
    }
  }
  say(
    `${baseUrl}: ${numberOf(judged.length, "deployment")} with a name like ${match}, ${leftOver.length} left over${canDelete ? `, ${leftOver.length - remaining} deleted` : ""}`,
  );
  if (leftOver.length > 0 && !isCompared)
    say("Without --state, a deployment that a stack manages counts as left over too if its name matches");
  if (remaining === 0) return;
  if (deletes && !canDelete)
    say(
      `Nothing was deleted: the service of profile "${profile.name}" has no DELETE. Delete them where the service lets you, or set the profile of a service that deletes`,
    );
  else if (!deletes) say("Nothing was deleted. Give --delete to delete what is left over");
  process.exitCode = 2;
}

export const REAP_PAGE = {
  name: "reap",
  usage: "deployment-control reap --match GLOB --keep FILE [OPTIONS]",
  about: [
    "Lists the deployments that previews of pull requests have left on the service: those with a name that --match matches, that FILE does not name, and that the state of no given stack names. With --delete it deletes them, if the service can delete.",
    "These deployments stay although FILE does not name them: those created after FILE was written, because their pull requests may be newer than the list; those that the service is already deleting; and, with --state, those that a stack has or was creating. Write FILE shortly before, and only if the list of open pull requests was complete.",
    "The command deletes by id, after it has read the deployment again: a deployment that has another name by then stays. After each deletion, the command reads the deployment once more and reports the result. If one cannot be deleted, the others still are. The command changes only deployments, and no state. First destroy the stack of a closed pull request with `pulumi destroy`: this command is for deployments that no stack knows anymore.",
    "The environment names the service: DEPLOYMENT_CONTROL_BASE_URL, DEPLOYMENT_CONTROL_API_KEY and the other settings under such names.",
  ],
  rows,
  exitCodes: [
    { code: 0, when: "nothing is left over, or all of it is deleted" },
    { code: 1, when: "an option or a file is bad, or the service cannot be asked" },
    { code: 2, when: "something is left over: it is only listed, or not deleted; each line says why" },
  ],
} as const satisfies CommandPage;
