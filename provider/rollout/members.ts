/** Waits for many deployments at once, verifies them, and describes their progress and failures. */

import type { Follow } from "../polling/follow";
import { setFault } from "../polling/poller";
import type { StatusLog } from "../polling/revisions";
import type { Service } from "../run/run";
import type { Fault } from "../schema/check";
import type { Arguments } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { isAbsent, type Properties, propertiesIn, valueAt } from "../schema/value";
import { isUnproven, UNVERIFIED, VERIFY_FAILED, type Verification } from "../schema/verification";
import { verificationFaults, verify } from "../verification/verification";

export interface Member extends Pick<Service, "poller" | "directory" | "connection"> {
  readonly name: string;
  readonly follow: Follow;
  /** The conversations that must verify the member's revision; undefined if there are none. */
  readonly verification: Verification | undefined;
}

/** The number of members whose rollouts ended this way. `waiting` counts the members whose rollouts have not ended. */
export function countOf(members: readonly Member[], end: Follow["end"]): number {
  return members.filter(({ follow }) => follow.end === end).length;
}

type Tell = (words: string) => Promise<void>;

/** Waits until each member's rollout has ended or the time is up. Reports the counts at each change. */
export async function followAll(
  members: readonly Member[],
  log: StatusLog,
  { tell, progress }: { readonly tell: Tell; readonly progress: Tell },
): Promise<void> {
  const report = async () => {
    const failures = countOf(members, "failed");
    // The counts change whenever a member's rollout ends.
    const counts = `${countOf(members, "waiting")} waiting${failures > 0 ? `, ${failures} failed` : ""}`;
    const words = `${countOf(members, "deployed")} of ${members.length} deployed after ${log.total()} s (${counts})`;
    if (log.changed(counts)) await (countOf(members, "waiting") > 0 ? progress : tell)(words);
  };
  const pollers = [...new Set(members.map(({ poller }) => poller))];
  const watches = pollers.map((each) => {
    const follows = members.filter(({ poller }) => poller === each).map(({ follow }) => follow);
    return each.watch(follows, report);
  });
  try {
    await Promise.all(watches);
  } catch (fault) {
    // Wakes the waits for members on other services, so that these waits end too.
    const follows = members.map(({ follow }) => follow);
    setFault(follows, fault);
    for (const each of pollers) each.wake();
    throw fault;
  }
}

/** Verifies all deployed members. A wrong reply counts as a failure. A missing reply counts as a time-out. */
export async function proveAll(
  members: readonly Member[],
  around: Parameters<typeof verify>[2],
): Promise<void> {
  const prove = async ({ follow, directory, verification }: Member): Promise<void> => {
    if (follow.end !== "deployed" || verification === undefined) return;
    const resource = follow.resource ?? (await directory.look(follow.deploymentId));
    const url = valueAt(resource, ["source_config", "custom_url"]);
    const { end, words } = await verify(verification, url, around);
    if (end === "right") return;
    follow.end = end === "wrong" ? "failed" : "waiting";
    follow.status = end === "wrong" ? VERIFY_FAILED : UNVERIFIED;
    follow.reason = words;
  };
  await Promise.all(members.map(prove));
}

/** The deployments did not wait for their revisions. Their next plans need the journal or a refresh to see failures. */
const REMAKING =
  "The next `pulumi up` makes the failed revisions again; without this machine's journal, run `pulumi up --refresh`";

/** How many members failed or are late, what to do, and a table of all members that are not deployed. */
export function describeFailure(members: readonly Member[], seconds: number): string {
  const failures = countOf(members, "failed");
  const pending = countOf(members, "waiting");
  const undeployed = members.filter(({ follow }) => follow.end !== "deployed");
  const unproven = undeployed.filter(({ follow }) => isUnproven(follow.status));
  const failedOrLate = undeployed.filter((member) => !unproven.includes(member));
  const ends = [
    ...(failures > 0 ? [`${failures} of ${members.length} failed`] : []),
    ...(pending > 0
      ? [
          `${pending} of ${members.length} were not deployed${unproven.length > 0 ? ", or not verified," : ""} in time`,
        ]
      : []),
  ];
  const isRemade = failedOrLate.some(({ follow }) => follow.end === "failed");
  const nextSteps = [
    ...(isRemade ? [REMAKING] : []),
    ...(unproven.length > 0 ? ["The next update verifies those again whose reply was wrong or missing"] : []),
    ...(isRemade || unproven.length > 0 ? [] : ["The next update waits again"]),
  ];
  const heading = `${ends.join(", ")} after ${seconds} s; ${countOf(members, "deployed")} deployed. ${nextSteps.join(". ")}`;
  const reasons = reasonsOf(failedOrLate, "The service says") + reasonsOf(unproven, "The conversations");
  return `${heading}\n${tableOf(undeployed)}${reasons}`;
}

function reasonsOf(members: readonly Member[], title: string): string {
  const lines = members.flatMap(({ name, follow: { reason = "", endOfLog } }, index) => {
    // The logs of three members are enough for one error.
    const words = index < 3 ? reason + endOfLog : reason;
    return words === "" ? [] : [`\n  ${printable(name)}: ${words}`];
  });
  return lines.length === 0 ? "" : `\n${title}:${lines.join("")}`;
}

function tableOf(members: readonly Member[]): string {
  const cells = [
    ["deployment", "revision", "status", "seconds", "still serving"],
    ...members.map(({ name, follow: { revisionId, status, seconds, servingId } }) => [
      printable(name),
      revisionId ?? "none yet",
      printable(status ?? "unknown"),
      String(seconds),
      servingId ?? "none",
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((line) => (line[column] as string).length)),
  );
  const padded = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] as number));
  return cells.map((line) => `  ${padded(line).join("  ")}`.trimEnd()).join("\n");
}

/** Drops entries without a value. The entry of a deployment that is not verified may have no value. */
export const withValues = (entries: Properties): Properties =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => !isAbsent(value)));

export function verifyFaults({ verify, deployments }: Arguments): Fault[] {
  return Object.entries(propertiesIn(verify)).flatMap(([name, verification]) => [
    ...verificationFaults(verification).map(({ path, words }) => ({
      path: ["verify", name, ...path],
      words,
    })),
    ...(Object.hasOwn(propertiesIn(deployments), name)
      ? []
      : [{ path: ["verify", name], words: "names no deployment of the rollout" }]),
  ]);
}
