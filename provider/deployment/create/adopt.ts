/** Taking over a deployment that exists, when the program asks for it. */

import type { Call } from "../../call";
import { deploymentRows } from "../../fields/deployment";
import { canonicalId, isAbsent, isProperties, type Properties } from "../../fields/value";
import { isAnswered } from "../../fields/wire";
import { changesBetween } from "../../verdict/changes";
import { describeReplacement, describeVerdict, HELD } from "../../verdict/describe";
import { say } from "../../verdict/sentences";
import { type Plan, planUpdate, refusalOf } from "../plan";
import { argumentsIn, outputsOf, shownSecrets } from "../state";
import { adoptsDeployment } from "../unique";

export interface Adoption {
  readonly id: string;
  readonly resource: Properties;
  /** From what the deployment has of what the program manages. */
  readonly plan: Plan;
}

/**
 * Takes over what the program asks to adopt. Returns its plan from what the state would have recorded; undefined where
 * nothing is adopted. Throws a RefusedError.
 */
export async function adopted(call: Call, inputs: Properties): Promise<Adoption | undefined> {
  const adoption = await findAdoption(call, inputs);
  if (adoption === undefined) return undefined;
  const { id, resource, plan } = adoption;
  adoptsDeployment(call, id);
  await call.tell(say.adopted({ id }));
  const write = { call, id, olds: {}, news: inputs, body: {}, revisionId: resource.latest_revision_id };
  const outputs = outputsOf(write, resource, { status: undefined, state: "not awaited" });
  return { id, resource, plan: { ...plan, olds: { ...outputs, ...plan.olds, secrets: undefined } } };
}

/** The deployment that the program asks to adopt: an id, `true` for the one of its name, or `false`. */
export function adoptionAsked(call: Call, { adopt }: Properties): string | boolean {
  if (typeof adopt === "string") return canonicalId(adopt);
  return typeof adopt === "boolean" ? adopt : call.service.connection.adopt;
}

/**
 * The deployment to adopt, with the plan; undefined if none of the name exists, or if it is the
 * predecessor that this very creation replaces. Throws a RefusedError.
 */
export async function findAdoption(call: Call, inputs: Properties): Promise<Adoption | undefined> {
  const adoption = adoptionAsked(call, inputs);
  const predecessor = call.service.fleet.predecessorOf(call.urn);
  if (adoption === false || (adoption === predecessor && predecessor !== undefined)) return undefined;
  const resource = typeof adoption === "string" ? await byId(call, adoption) : await byName(call, inputs);
  return resource === undefined || resource.id === predecessor
    ? undefined
    : adoptionOf(call, inputs, resource);
}

async function byId(call: Call, id: string): Promise<Properties> {
  const resource = await call.service.directory.byId(id);
  if (resource?.status === "AWAITING_DELETE")
    throw call.refuse(`adopt: the deployment ${id} is just being deleted`);
  if (resource !== undefined) return resource;
  throw call.refuse(`adopt: ${call.baseUrl} has no deployment with the id ${id}`);
}

async function byName(call: Call, { name }: Properties): Promise<Properties | undefined> {
  const matches = await livingNamed(call, String(name));
  if (matches.length <= 1) return matches[0];
  throw call.refuse(
    `adopt: ${matches.length} deployments are named "${name}" (ids ${idsOf(matches)}); give the id of one as adopt`,
  );
}

/** The deployments of that name that are not being deleted. */
export async function livingNamed(call: Call, name: string): Promise<Properties[]> {
  const deployments = await call.service.directory.named(name);
  return deployments.filter(({ status }) => status !== "AWAITING_DELETE");
}

export const idsOf = (deployments: readonly Properties[]): string =>
  deployments.map(({ id }) => id).join(", ");

function adoptionOf(call: Call, inputs: Properties, resource: Properties): Adoption {
  const { profile } = call;
  const secrets = heldSecrets(call, resource);
  const olds = managedPart(inputs, { ...argumentsIn(resource, profile), secrets });
  refuseLosses(call, resource, unmanagedSecrets(secrets, inputs));
  const fixed = changesBetween(deploymentRows, olds, inputs, profile).filter(
    ({ effect, unknown }) => effect === "replace" && !unknown,
  );
  if (fixed.length > 0) {
    throw call.refuse(
      `adopt: the deployment ${resource.id} differs in what cannot be changed (${describeReplacement(fixed, call.hidden)}). Give what it has`,
    );
  }
  const plan = planUpdate({ ...olds, latestRevisionId: resource.latest_revision_id }, inputs, profile);
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  if (refusal !== undefined) throw call.refuse(refusal);
  return { id: resource.id as string, resource, plan };
}

function refuseLosses(call: Call, { id }: Properties, secrets: readonly string[]): void {
  if (secrets.length === 0) return;
  throw call.refuse(
    `adopt: the deployment ${id} has secrets that the program does not give, and adopting it would remove them: ${secrets.join(", ")}. Add them to secrets`,
  );
}

/** The live values of the arguments that the program sets. Arguments that are never sent count as equal. */
function managedPart(inputs: Properties, live: Properties): Properties {
  const part: Properties = {};
  for (const [name, field] of Object.entries(deploymentRows)) {
    if (isAbsent(inputs[name])) continue;
    if (field.kind.type === "keyed") part[name] = live[name];
    else part[name] = isAnswered(field) ? common(inputs[name], live[name]) : inputs[name];
  }
  return part;
}

function common(managed: unknown, live: unknown): unknown {
  if (!isProperties(managed) || !isProperties(live)) return live;
  const names = Object.keys(managed).filter((name) => !isAbsent(live[name]));
  return Object.fromEntries(names.map((name) => [name, common(managed[name], live[name])]));
}

/** The secrets that the service names. Their values may be masked. */
function heldSecrets(call: Call, resource: Properties): Properties {
  const secretsShown = shownSecrets(resource, call.profile);
  return Object.fromEntries(
    Object.keys(isProperties(secretsShown) ? secretsShown : {}).map((name) => [name, HELD]),
  );
}

/** If the program leaves secrets out, it does not manage them, and adopting leaves them alone. */
function unmanagedSecrets(liveSecrets: Properties, { secrets }: Properties): string[] {
  if (!isProperties(secrets)) return [];
  return Object.keys(liveSecrets).filter((name) => !Object.hasOwn(secrets, name));
}

/** The plan of an adoption in words, for the preview. */
export function describeAdoption(call: Call, { id, plan }: Adoption) {
  const { verdict, changes } = plan;
  if (verdict === "unchanged") return say.adoptsUnchanged({ id });
  return say.adoptsAnd({ id, verdict: describeVerdict(verdict, changes, call.hidden) });
}
