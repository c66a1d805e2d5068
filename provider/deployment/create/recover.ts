/**
 * Recovers a creation whose result is unknown, because its answer was lost, an earlier run was interrupted, or the
 * engine repeats a failed creation. Takes over a deployment that the creation provably made, and refuses a deployment
 * that somebody else may have made. Creates a new deployment only when the earlier request can no longer arrive.
 */
import type { Call } from "../../call";
import { type CheckedPlan, UNKNOWN_VALUE } from "../../diff/recorded";
import { format } from "../../diff/sentences";
import type { RefusedError } from "../../failure";
import type { Attempt } from "../../journal/attempt";
import { lookUntil } from "../../journal/moment";
import { type Candidate, type Finding, resolve, type Tried } from "../../journal/resolve";
import { sameName } from "../../lookup/directory";
import { holds } from "../../schema/compare";
import { isBeingDeleted } from "../../schema/deployment";
import type { Inputs, State } from "../../schema/recorded";
import { printable } from "../../schema/secrecy";
import type { Properties } from "../../schema/value";
import { forbiddenBy } from "../arguments";
import { createdWith, sentBy } from "../intent";
import { hasVariables } from "../live";
import { planUpdate } from "../plan";
import { createBody } from "../request";
import { deploymentOutputs, newRollout } from "../state";
import { type Adoption, adoptionAsked, asksByName, idsOf } from "./adopt";

/** The result of one look-up for the deployment that a creation made. */
export interface Observed {
  /** The deployments that the creation may have made. */
  readonly deployments: readonly Properties[];
  readonly finding: Finding;
}

/** Looks for the creation's result by the id in the answer, or by name if no answer named an id. */
export async function observeCreation(call: Call, inputs: Inputs, attempt: Tried): Promise<Observed> {
  const { directory, endpoints } = call.service;
  const { answer, known } = attempt;
  const name = nameOf(attempt, inputs);
  const deployments =
    typeof answer === "string"
      ? [await directory.byId(answer)].filter((each) => each !== undefined)
      : await directory.freshlyNamed(name);
  const predecessor = call.run.planned.predecessorOf(call.urn);
  const living = deployments.filter(
    ({ id, status }) => !isBeingDeleted(status) && id !== predecessor && !known.includes(id as string),
  );
  const candidates = living.map(
    (deployment): Candidate => ({
      id: deployment.id,
      createdAt: deployment.created_at,
      difference: differenceOf(call, inputs, attempt, deployment),
    }),
  );
  const seen = { candidates, now: call.run.clock.now(), clockAhead: endpoints.clockAhead };
  return { deployments: living, finding: resolve(attempt, seen) };
}

/** The name that was sent. The journal leaves out a secret name, so the program's name is used instead. */
const nameOf = ({ name }: Tried, inputs: Inputs): string => (name === "" ? String(inputs.name) : name);

/** How the deployment differs from what the creation sent; undefined if the service shows no difference. */
function differenceOf(
  call: Call,
  inputs: Inputs,
  attempt: Tried,
  deployment: Properties,
): string | undefined {
  const name = nameOf(attempt, inputs);
  if (!sameName(deployment.name, name)) return "its name is not the one that was sent";
  if (attempt.answer !== undefined) return undefined;
  if (call.run.journal.isMadeElsewhere(attempt, deployment.id as string, name))
    return "another stack on this machine has made it, or may just have";
  const { variables, body } = sentBy(attempt, { call, inputs });
  const { name: _spelled, ...wire } = body;
  const differs = Object.keys(wire).find((field) => !holds(deployment[field], wire[field]));
  if (differs !== undefined) return `its ${differs} is not what the interrupted run sent`;
  return hasVariables(deployment, attempt.secretNames, variables, call.profile)
    ? undefined
    : "its secrets are not those that the interrupted run sent";
}

/**
 * The plan for a creation that an earlier run began: `pulumi up` first looks for that run's deployment, and may then
 * change this deployment. Undefined for any other creation, and also if new revisions are forbidden.
 */
export async function begunCreation(call: Call, inputs: Inputs): Promise<CheckedPlan | undefined> {
  const attempt = await call.run.journal.get(call.key("create"));
  const isForbidden = forbiddenBy(inputs, call.service.connection.newRevisions) !== undefined;
  if (attempt === undefined || isForbidden) return undefined;
  const reasons = "an earlier run began the creation: the update looks first for what it made";
  await call.tell(format.mayRevise({ reasons }));
  return { verdict: "mayRevise", adopts: attempt.answer ?? UNKNOWN_VALUE, changes: [] };
}

/**
 * Takes over the deployment that an interrupted creation made. Returns the plan for the program's later changes, or
 * undefined if nothing is taken over and the creation proceeds. Throws a RefusedError if a take-over is not safe.
 */
export async function takeOverUnfinished(call: Call, inputs: Inputs): Promise<Adoption | undefined> {
  const { journal } = call.run;
  const attempt = await journal.get(call.key("create"));
  if (attempt === undefined) return undefined;
  const { deployments, finding } = await settled(call, inputs, attempt);
  const [resource] = deployments;
  if (resource === undefined || finding.kind === "absent" || finding.kind === "early") {
    const { answer: id } = attempt;
    if (resource === undefined)
      await call.tell(id ? format.creationHasVanished({ id }) : format.creationDidNothing());
    await journal.drop(attempt);
    return undefined;
  }
  if (finding.kind === "unclear") {
    if (!isAskedFor(call, inputs, attempt, deployments))
      throw unclear(call, inputs, deployments, finding.because);
    for (const each of deployments) call.service.directory.remember(each);
    return undefined;
  }
  if (nameOf(attempt, inputs) !== inputs.name) throw renamedError(call, inputs, resource);
  return takeOver(call, inputs, attempt, resource, finding.because);
}

const NOTHING: Observed = { deployments: [], finding: { kind: "absent" } };

/** Looks until the outcome of the creation is clear, or until the creation's request can no longer arrive. */
async function settled(call: Call, inputs: Inputs, attempt: Attempt): Promise<Observed> {
  const { clock } = call.run;
  const isRenamed = attempt.answer === undefined && nameOf(attempt, inputs) !== inputs.name;
  let observed = NOTHING;
  const look = async () => {
    observed = await observeCreation(call, inputs, attempt);
    // If somebody else may have made the deployment under the old name, the program does not need that deployment.
    if (isRenamed && observed.finding.kind === "unclear") observed = NOTHING;
    return ["applied", "unclear"].includes(observed.finding.kind) ? observed : undefined;
  };
  const name = printable(nameOf(attempt, inputs));
  const end = attempt.answer === undefined ? attempt.expiresAt : 0;
  await lookUntil(clock, end, look, (seconds) => call.tell(format.creationMayArrive({ name, seconds })));
  return observed;
}

/** Whether the program asks to adopt a deployment that has appeared. If so, anyone may have made the deployment. */
function isAskedFor(
  call: Call,
  inputs: Inputs,
  { answer }: Attempt,
  deployments: readonly Properties[],
): boolean {
  if (answer !== undefined) return false;
  const adoption = adoptionAsked(call, inputs);
  return asksByName(adoption) ? deployments.length === 1 : deployments.some(({ id }) => id === adoption);
}

async function takeOver(
  call: Call,
  inputs: Inputs,
  attempt: Attempt,
  resource: Properties,
  because: string,
): Promise<Adoption> {
  const id = resource.id as string;
  call.claim(id);
  const state = unwaitedState(call, inputs, resource, attempt);
  const plan = planUpdate(state, inputs, call.profile);
  if (plan.verdict === "replace") {
    throw call.refuse(
      `${id}, which an interrupted creation made, differs in arguments that cannot be changed: ${plan.replaces.join(", ")}. Restore the old values for one update, which takes it over, and change them then`,
    );
  }
  await call.run.journal.answer(attempt, id);
  await call.warn(`takes over ${printable(id)}, which an interrupted creation made: ${because}`);
  return { id, resource, plan };
}

/** The state that the interrupted run would have recorded right after the POST. */
function unwaitedState(call: Call, inputs: Inputs, resource: Properties, attempt: Attempt): State {
  const sent = createdWith(sentBy(attempt, { call, inputs }), inputs);
  const body = createBody(sent, call.profile);
  const write = { call, id: resource.id as string, state: {}, inputs: sent, body };
  return deploymentOutputs(write, resource, newRollout(inputs));
}

/** The error for a deployment that somebody else may have made. */
export function unclear(
  call: Call,
  inputs: Inputs,
  deployments: readonly Properties[],
  because: string,
): RefusedError {
  const which = deployments.length === 1 ? `"${deployments[0]?.id}"` : "the id of the one to keep";
  const file = call.run.journal.fileOf(call.key("create"));
  const place = file === undefined ? "" : ` (journal: ${file})`;
  return call.refuse(
    `it is not certain that its interrupted creation of "${inputs.name}" made ${idsOf(deployments)}: ${because}. To manage it, set adopt: ${which}${place}`,
  );
}

function renamedError(call: Call, inputs: Inputs, resource: Properties): RefusedError {
  return call.refuse(
    `an earlier run made "${resource.name}" (id ${resource.id}), not "${inputs.name}". Run \`pulumi refresh\`; if that changes nothing, set the name back for one update, which takes it over`,
  );
}
