/** Waits for a revision, and verifies the revision with conversations if the program sets `rollout.verify`. */

import { format } from "../../diff/sentences";
import { RefusedError } from "../../failure";
import { Follow, type FollowOptions } from "../../polling/follow";
import { type Poller, untilDeadline } from "../../polling/poller";
import { describeSteps, type Stage } from "../../polling/revisions";
import type { Arguments, Inputs } from "../../schema/recorded";
import { isAbsent, isProperties, type Properties, propertiesIn, valueAt } from "../../schema/value";
import { UNVERIFIED, VERIFY_FAILED, type Verification } from "../../schema/verification";
import { sentence } from "../../schema/words";
import { type Outcome, verify } from "../../verification/verification";
import { type Plan, revises } from "../plan";
import { rolloutSeconds, type Write } from "../state";

interface WaitEnd {
  readonly end: "deployed" | "failed" | "timeout";
  /** The revision at the end of the wait, which may be newer than the revision at the start. */
  readonly revisionId: string | undefined;
  readonly status: string | undefined;
  /** Why the revision failed, in the service's words; undefined if the service gives no reason. */
  readonly reason: string | undefined;
  /** The last lines of a failed revision's log, for an error; empty if there are none. */
  readonly endOfLog: string;
  readonly steps: readonly Stage[];
  readonly seconds: number;
  /**
   * The deployment, from the listing that showed the rollout's end. Undefined if a read of the revision showed the end.
   */
  readonly resource: Properties | undefined;
}

interface Wait extends Omit<FollowOptions, "tellStatus" | "tellNewer"> {
  /** The revision to wait for, if the caller has just read the revision. The wait then skips the first read. */
  readonly revision?: Properties;
  readonly tell: FollowOptions["tellNewer"];
  /** Shows a line until the next line replaces it. Undefined if the host keeps every line. */
  readonly progress?: ((words: string) => Promise<void>) | undefined;
}

/** The end of a rollout. A wrong reply counts as a failure. A missing reply counts as a time-out. */
export interface RolloutEnd extends WaitEnd {
  readonly resource: Properties;
  /** Why the conversations did not verify the revision; undefined if they did, or if there were none. */
  readonly unproven: string | undefined;
}

/** Waits for the rollout and verifies the revision. `revision`: the revision, if the caller has just read it. */
export async function rollOut(
  write: Write,
  resource: Properties,
  revision?: Properties,
): Promise<RolloutEnd> {
  const { call, id, inputs } = write;
  const { verify: verification } = propertiesIn(inputs.rollout);
  const waitEnd = await waitForRollout(call.service.poller, {
    deploymentId: id,
    resource,
    ...(revision && { revision }),
    timeoutSeconds: rolloutSeconds(call, inputs),
    tell: (words) => call.tell(words),
    progress: call.progress,
  });
  const latest = waitEnd.resource ?? (await lookAgain(write, waitEnd)) ?? resource;
  const rolloutEnd = { ...waitEnd, resource: latest, unproven: undefined };
  if (waitEnd.end !== "deployed" || !isProperties(verification)) return rolloutEnd;
  return { ...rolloutEnd, ...(await proveRevision(write, rolloutEnd, verification as never)) };
}

const UNPROVEN = {
  wrong: { end: "failed", status: VERIFY_FAILED },
  inconclusive: { end: "timeout", status: UNVERIFIED },
} as const satisfies { readonly [end in Outcome["end"]]?: Partial<RolloutEnd> };

async function proveRevision(
  { call }: Write,
  { revisionId: id, resource }: RolloutEnd,
  verification: Verification,
): Promise<Partial<RolloutEnd>> {
  const { bakeSeconds: seconds } = verification;
  await call.tell(seconds === undefined ? format.verifies({ id }) : format.bakes({ id, seconds }));
  const { end, words } = await verify(verification, valueAt(resource, ADDRESS), call.run);
  return end === "right" ? {} : { ...UNPROVEN[end], unproven: words };
}

const ADDRESS = ["source_config", "custom_url"];

/** Throws the service's errors, and a RefusedError if the deployment is gone. */
export async function waitForRollout(
  poller: Poller,
  { tell, progress, revision, ...followed }: Wait,
): Promise<WaitEnd> {
  // If the host can erase lines, each status is a progress line, which the host erases after the wait.
  const telling = progress === undefined ? { tellStatus: tell } : {};
  const follow = new Follow(poller, { ...followed, ...telling, tellNewer: tell });
  if (revision !== undefined) await follow.seesRevision(revision);
  const report = teller(progress);
  await poller.watch([follow], () => report(follow));
  const { end, revisionId, status, reason, endOfLog, resource, log, isGone } = follow;
  if (isGone) throw new RefusedError(`the service no longer has the deployment (${status}).`);
  const ended = end === "waiting" ? "timeout" : end;
  const times = { steps: log.steps(), seconds: log.total() };
  return { end: ended, revisionId, status, reason, endOfLog, ...times, resource };
}

const FIRST_SECONDS = 10;
const LONGEST_SECONDS = 60;

/** Reports a new status at once. Repeats a status often at first, then once a minute, because logs keep every line. */
function teller(progress: NonNullable<Wait["progress"]> = async () => {}): (follow: Follow) => Promise<void> {
  let dueAt = FIRST_SECONDS;
  let shown: string | undefined;
  return async ({ end, status, log }) => {
    const seconds = log.total();
    if (end !== "waiting" || (seconds < dueAt && status === shown)) return;
    if (seconds >= dueAt) dueAt = seconds + Math.min(LONGEST_SECONDS, seconds);
    shown = status;
    await progress(`${status ?? "waiting for its revision"}, ${Math.round(seconds)} s`);
  };
}

/** Reads the deployment after the rollout. After a time-out, waits only briefly for the answer. */
async function lookAgain({ call, id }: Write, { end }: WaitEnd): Promise<Properties | undefined> {
  const look = call.service.directory.look(id).catch(() => undefined);
  const { clock } = call.run;
  return end === "timeout" ? untilDeadline(clock.now(), clock, look) : look;
}

/** How the rollout of a revision ended, after how long, and why. */
export function storyOf({ end, revisionId, status, seconds, steps, unproven, reason }: RolloutEnd): string {
  const revision = `revision ${revisionId ?? "(none was made yet)"}`;
  if (unproven !== undefined) {
    const how = end === "failed" ? "failed verification" : "it is not known whether it replies as expected";
    return `${revision} was deployed after ${seconds} s${describeSteps(steps)}, but ${how}: ${sentence(unproven)}`;
  }
  if (end === "timeout") {
    const at = status === undefined ? "" : `, last seen ${status}`;
    return `${revision} was not deployed within ${seconds} s${at}${describeSteps(steps)}.`;
  }
  const saying = reason === undefined ? "" : ` The service says: ${sentence(reason)}`;
  return `${revision} ended ${status} after ${seconds} s${describeSteps(steps)}.${saying}`;
}

/** For the preview: why the plan's revision cannot be verified; undefined if nothing prevents the verification. */
export function verificationRefusal(plan: Pick<Plan, "inputs" | "state" | "verdict" | "rollout">) {
  const { inputs, state } = plan;
  const isDue = revises(plan as Plan) || plan.rollout !== "done";
  return isDue && isAbsent(state.url) ? addressRefusal(inputs) : undefined;
}

/** Why a creation's revision cannot be verified. A deployment from a repository gets an address from the service. */
export const creationRefusal = (inputs: Inputs) =>
  inputs.source === "repohost" ? undefined : addressRefusal(inputs);

function addressRefusal({ rollout, sourceConfig }: Arguments): string | undefined {
  const verification = valueAt(rollout, ["verify"]);
  if (!isProperties(verification) || !isAbsent(verification.deploymentUrl)) return undefined;
  if (!isAbsent(valueAt(sourceConfig, ["customUrl"]))) return undefined;
  return "has no address, and the service reports none: set deploymentUrl";
}
