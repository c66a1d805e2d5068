/**
 * Adoption: takes over an existing deployment if the program asks for this. With `adopt: "identical"`, an adoption
 * sends nothing, and refuses a deployment that differs from the program's arguments.
 */

import type { Call } from "../../call";
import type { Change } from "../../diff/changes";
import { ALTERED, describeChanges, describeReplacement, describeVerdict, HELD } from "../../diff/describe";
import { type CheckedPlan, CREATES, UNKNOWN_VALUE } from "../../diff/recorded";
import { format } from "../../diff/sentences";
import { deploymentRows, isBeingDeleted, sourceConfigRows } from "../../schema/deployment";
import { IDENTICAL } from "../../schema/kind";
import { type Arguments, type Inputs, stateOf } from "../../schema/recorded";
import { printable } from "../../schema/secrecy";
import {
  canonicalId,
  hasUnknown,
  isAbsent,
  type Properties,
  propertiesIn,
  reducedTo,
  valueAt,
} from "../../schema/value";
import { isAnswered } from "../../schema/wire";
import { forbiddenBy } from "../arguments";
import { alteredSecrets, type Live, listedIn, liveEnvironment, liveIn } from "../live";
import { observedPart } from "../observed";
import { type Plan, planUpdate, refusalOf, revises, withKept } from "../plan";
import { deploymentOutputs, waits } from "../state";
import { foreignLosses, variablesOf } from "../variables";

/** Clears the variables, because most of their values are placeholders, which must not reach the state. */
const NO_VARIABLES = { secrets: undefined, environment: undefined };

export interface Adoption {
  readonly id: string;
  readonly resource: Properties;
  /** The update from the deployment's values to the program's values. */
  readonly plan: Plan;
  /** The preview's line for an adoption of an identical deployment; undefined for any other adoption. */
  readonly identical?: ReturnType<typeof describeVerdict>;
  /** The variables that an adoption of an identical deployment cannot compare, because no answer shows their values. */
  readonly uncompared?: readonly string[];
}

/**
 * Takes over the deployment to adopt. The plan starts from the state that the deployment would have if the program
 * already managed it. Returns undefined if nothing is adopted. Throws a RefusedError if the adoption is not allowed.
 */
export async function adoptIfAsked(call: Call, inputs: Inputs): Promise<Adoption | undefined> {
  const adoption = await findAdoption(call, inputs);
  if (adoption === undefined) return undefined;
  const { id, resource, plan, identical } = adoption;
  // If the check has claimed the deployment, it has also announced the adoption.
  if (call.service.fleet.keepers.here.get(id) !== call.urn) await call.tell(format.adopted({ id }));
  call.claim(id);
  const write = { call, id, state: {}, inputs, body: {} };
  const outputs = deploymentOutputs(write, resource, { status: undefined, state: "not awaited" });
  const variables = identical === undefined ? NO_VARIABLES : {};
  return { id, resource, plan: { ...plan, state: { ...outputs, ...plan.state, ...variables } } };
}

/** The argument `adopt` or, by default, the setting: an id, `false`, or, to adopt by name, `true` or `identical`. */
export function adoptionAsked(call: Call, { adopt }: Arguments): string | boolean {
  if (typeof adopt === "string") return canonicalId(adopt);
  return typeof adopt === "boolean" ? adopt : call.service.connection.adopt;
}

export const asksByName = (adoption: string | boolean): adoption is true | typeof IDENTICAL =>
  adoption === true || adoption === IDENTICAL;

/**
 * The plan for a creation that adopts by an id or a name that the preview does not know yet. The adoption may make a
 * revision. An `identical` adoption makes none, and an adoption in a replacement refuses to make a revision. Undefined
 * for any other creation. Throws a RefusedError if a revision is possible but forbidden.
 */
export async function openAdoption(call: Call, inputs: Inputs): Promise<CheckedPlan | undefined> {
  const adoption = adoptionAsked(call, inputs);
  const isIdOpen = hasUnknown(inputs.adopt);
  if (!isIdOpen && !(asksByName(adoption) && hasUnknown(inputs.name))) return undefined;
  if (adoption === IDENTICAL || call.run.planned.predecessorOf(call.urn) !== undefined) return CREATES;
  const line = format.mayRevise({ reasons: `adopt: the ${isIdOpen ? "id" : "name"} is not known yet` });
  await call.tell(line);
  const from = forbiddenBy(inputs, call.service.connection.newRevisions);
  if (from === undefined) return { verdict: "mayRevise", adopts: UNKNOWN_VALUE, changes: [] };
  throw call.refuse(
    `${from}, but this creation ${line}. Set adopt to an id or false, or newRevisions to "allow" for this run`,
  );
}

/**
 * The deployment to adopt, with its plan; undefined if the program asks for no adoption or the name is free. If this
 * creation replaces a deployment, the old name counts as free. Throws a RefusedError if the adoption is not possible.
 */
export async function findAdoption(call: Call, inputs: Inputs): Promise<Adoption | undefined> {
  const adoption = adoptionAsked(call, inputs);
  const predecessor = call.run.planned.predecessorOf(call.urn);
  if (adoption === false || (adoption === predecessor && predecessor !== undefined)) return undefined;
  const resource = asksByName(adoption) ? await byName(call, inputs) : await byId(call, adoption);
  if (resource === undefined || resource.id === predecessor) return undefined;
  const candidate = adoptionOf(call, inputs, resource);
  if (predecessor === undefined || !revises(candidate.plan)) return candidate;
  // In the report, a replacement is one new deployment, which would hide the adopted deployment's new revision.
  throw call.refuse(
    `adopt: the replacement would take over ${candidate.id} and may give it a new revision. Change name, or set the values that it has`,
  );
}

async function byId(call: Call, id: string): Promise<Properties> {
  const resource = await call.service.directory.byId(id);
  if (isBeingDeleted(resource?.status)) throw call.refuse(`adopt: the deployment ${id} is being deleted`);
  if (resource !== undefined) return resource;
  throw call.refuse(`adopt: ${call.baseUrl} has no deployment with the id ${id}`);
}

async function byName(call: Call, { name }: Inputs): Promise<Properties | undefined> {
  const matches = await call.service.directory.named(String(name));
  if (matches.length <= 1) return matches[0];
  throw call.refuse(
    `adopt: ${matches.length} deployments are named "${name}" (ids ${idsOf(matches)}); set adopt to the id of one`,
  );
}

export const idsOf = (deployments: readonly Properties[]): string =>
  deployments.map(({ id }) => id).join(", ");

function adoptionOf(call: Call, inputs: Inputs, resource: Properties): Adoption {
  const live = liveIn(resource, call.profile);
  const isIdentical = adoptionAsked(call, inputs) === IDENTICAL;
  const managesVariables = !isAbsent(inputs.secrets) || !isAbsent(inputs.environment);
  const held = {
    ...managedPart(inputs, { ...live.args, ...heldVariables(inputs, live) }),
    ...(isIdentical && managesVariables ? comparableVariables(call, inputs, live) : {}),
    latestRevisionId: resource.latest_revision_id,
  };
  const state: Properties = { ...held, ...observedPart(held, live) };
  const plan = planUpdate(state, inputs, call.profile);
  if (isIdentical) return identicalAdoption(call, resource, live, plan);
  return changingAdoption(call, resource, plan);
}

function changingAdoption(call: Call, resource: Properties, plan: Plan): Adoption {
  const losses = foreignLosses(plan.changes);
  if (losses.length > 0) {
    throw call.refuse(
      `adopt: the deployment ${resource.id} has secrets that the program does not set, and adopting it would remove them: ${losses.join(", ")}. Add them to secrets or environment`,
    );
  }
  const fixed = plan.changes.filter(({ effect, unknown }) => effect === "replace" && !unknown);
  if (fixed.length > 0) {
    throw call.refuse(
      `adopt: the deployment ${resource.id} differs in arguments that cannot be changed (${describeReplacement(fixed, call.hidden)}). Set the values that it has`,
    );
  }
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  if (refusal !== undefined) throw call.refuse(refusal);
  return { id: resource.id as string, resource, plan };
}

/** The live values of the arguments that the program sets. Arguments that are never sent keep the program's values. */
function managedPart(inputs: Inputs, live: Arguments): Arguments {
  const part: Arguments = {};
  for (const [name, field] of Object.entries(deploymentRows)) {
    if (isAbsent(inputs[name])) continue;
    if (field.kind.type === "keyed") part[name] = live[name];
    else part[name] = isAnswered(field) ? reducedTo(inputs[name], live[name]) : inputs[name];
  }
  return part;
}

/** The program's variables that the service has. A placeholder stands for each secret and each hidden value. */
function heldVariables({ environment, secrets }: Inputs, { listed, shown }: Live): Arguments {
  const held = (variables: unknown, values: Properties) =>
    Object.fromEntries(
      Object.keys(propertiesIn(variables))
        .filter((name) => Object.hasOwn(listed, name))
        .map((name) => [name, valueAt(values, [name]) ?? HELD]),
    );
  return { environment: held(environment, shown), secrets: held(secrets, {}) };
}

/** Adopts the deployment unchanged. If the plan has known changes, throws a RefusedError that names them. */
function identicalAdoption(call: Call, resource: Properties, { shown }: Live, { changes, inputs }: Plan) {
  const id = resource.id as string;
  const differences = changes
    .filter((change) => !isSameId(change))
    .map((change): Change => ({ ...change, effect: "inPlace" }));
  const certain = differences.filter(({ unknown }) => !unknown);
  if (certain.length > 0)
    throw call.refuse(
      `adopt: the deployment ${id} is not identical: ${describeChanges(certain, call.hidden)} (the service's value -> the program's). Set the values that it has, or set adopt to true`,
    );
  const plan = planUpdate(stateOf(inputs, unfinishedIn(resource, inputs)), inputs, call.profile);
  const uncompared = Object.keys(variablesOf(inputs) ?? {}).filter((name) => !Object.hasOwn(shown, name));
  const identical =
    differences.length > 0
      ? format.adoptsIfIdentical({ id, reasons: describeChanges(differences, call.hidden) })
      : format.adoptsUnchanged({ id });
  return { id, resource, plan, identical, uncompared };
}

const ids = Object.entries(sourceConfigRows).flatMap(([name, { kind }]) =>
  kind.type === "uuid" ? [`sourceConfig.${name}`] : [],
);

/** Whether the values are the same UUID. Letter case does not count, because services write UUIDs in lower case. */
const isSameId = ({ path, before, after }: Change): boolean =>
  ids.includes(path) && canonicalId(String(before)) === canonicalId(String(after));

/** The service's variables. A value that the service does not show counts as equal to the program's value. */
function comparableVariables(call: Call, inputs: Inputs, live: Live): Arguments {
  const { profile, service } = call;
  const { listed } = live;
  const isEmpty = Object.keys(listed).length === 0;
  const namesAny = (each: Properties) => Object.keys(listedIn(each, profile)).length > 0;
  // If the service lists other deployments' variables, an empty list means that this deployment has no variables.
  if (isEmpty && !profile.capabilities.showsSecretValues && !service.directory.listed.some(namesAny))
    return { secrets: inputs.secrets, environment: inputs.environment };
  const altered = alteredSecrets(inputs, live);
  const environment = isEmpty ? {} : liveEnvironment(inputs, live);
  const secrets = Object.keys(listed)
    .filter((name) => !Object.hasOwn(propertiesIn(environment), name))
    .map((name) => [name, altered.includes(name) ? ALTERED : (valueAt(inputs.secrets, [name]) ?? HELD)]);
  return { environment, secrets: Object.fromEntries(secrets) };
}

/** Marks the latest revision as unfinished if it is not active, because its rollout may still be in progress. */
function unfinishedIn(resource: Properties, inputs: Inputs): Properties {
  const { latest_revision_id: latest, active_revision_id: active } = resource;
  return typeof latest === "string" && latest !== active && waits(inputs)
    ? { rolloutState: "unfinished", latestRevisionId: latest }
    : {};
}

/** Shows in the preview what the adoption will do, and warns of values that cannot be compared. */
export async function announceAdoption(call: Call, adoption: Adoption): Promise<void> {
  await call.tell(describeAdoption(call, adoption));
  const { uncompared = [], plan } = adoption;
  const { capabilities, onDestroy } = plan.profile;
  if (isAbsent(plan.inputs.onDestroy) && onDestroy === "delete" && capabilities.deleteDeployment)
    await call.warn(
      'a later destroy of this stack deletes the deployment, although the stack did not create it. To keep it then, set onDestroy to "retain"',
    );
  if (uncompared.length > 0)
    await call.warn(
      `does not compare the values of ${uncompared.map(printable).join(", ")}, which the service does not show: they stay as they are until the program changes its secrets or environment`,
    );
}

function describeAdoption(call: Call, { id, plan, identical }: Adoption) {
  if (identical !== undefined) return identical;
  const { verdict, changes, unmanagedSpec } = plan;
  if (verdict === "unchanged") return format.adoptsUnchanged({ id });
  const line = describeVerdict(verdict, changes, call.hidden);
  return format.adoptsAnd({ id, verdict: withKept(line, unmanagedSpec) });
}
