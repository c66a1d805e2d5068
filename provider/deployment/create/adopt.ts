/** Taking over a deployment that exists, when the program asks for it. */

import { RefusedError } from "../../failure";
import { deploymentRows } from "../../fields/deployment";
import { isAbsent, isProperties, type Properties, UNKNOWN } from "../../fields/value";
import { hiddenIn } from "../../host/carried";
import type { Service } from "../../service/session";
import { changesBetween } from "../../verdict/changes";
import { describeVerdict, HELD } from "../../verdict/describe";
import { type Plan, planUpdate, refusalOf } from "../plan";
import { labelOf } from "../rollout/await";
import { argumentsIn, shownSecrets } from "../state";

export interface Adoption {
  readonly id: string;
  readonly resource: Properties;
  /** What the deployment has of what the program manages. */
  readonly olds: Properties;
  readonly plan: Plan;
}

/** Whether and what the program asks to adopt: an id, `true` for by name. */
export function adoptionAsked(inputs: Properties, service: Service): string | boolean {
  const { adopt } = inputs;
  return typeof adopt === "string" || typeof adopt === "boolean" ? adopt : service.connection.adopt;
}

/**
 * The deployment to adopt and what adopting it changes; undefined when by name none exists, or when it is the
 * predecessor that this very creation replaces. Throws a RefusedError.
 */
export async function findAdoption(
  inputs: Properties,
  service: Service,
  predecessor: string | undefined,
): Promise<Adoption | undefined> {
  const asked = adoptionAsked(inputs, service);
  if (asked === false || (asked === predecessor && predecessor !== undefined)) return undefined;
  const resource =
    typeof asked === "string" ? await byId(asked, inputs, service) : await byName(inputs, service);
  return resource === undefined || resource.id === predecessor
    ? undefined
    : adoptionOf(resource, inputs, service);
}

async function byId(id: string, inputs: Properties, service: Service): Promise<Properties> {
  const resource = await service.directory.byId(id);
  if (resource?.status === "AWAITING_DELETE") {
    throw new RefusedError(`${labelOf(inputs)}: adopt: the deployment ${id} is just being deleted`);
  }
  if (resource !== undefined) return resource;
  throw new RefusedError(
    `${labelOf(inputs)}: adopt: ${service.connection.baseUrl} has no deployment with the id ${id}`,
  );
}

async function byName(inputs: Properties, service: Service): Promise<Properties | undefined> {
  const found = await livingNamed(String(inputs.name), service);
  if (found.length <= 1) return found[0];
  throw new RefusedError(
    `${labelOf(inputs)}: adopt: ${found.length} deployments are named "${inputs.name}" (ids ${found.map(({ id }) => id).join(", ")}); give the id of one as adopt`,
  );
}

/** The deployments of that name that are not on their way out. */
export async function livingNamed(name: string, service: Service): Promise<Properties[]> {
  return (await service.directory.named(name)).filter(
    (deployment) => deployment.status !== "AWAITING_DELETE",
  );
}

function adoptionOf(resource: Properties, inputs: Properties, service: Service): Adoption {
  const { profile, newRevisions } = service.connection;
  const held = secretsIn(resource, service);
  const olds = managedPart(inputs, { ...argumentsIn(resource, profile), secrets: held });
  const unmanaged = unmanagedSecrets(held, inputs);
  if (unmanaged.length > 0) {
    throw new RefusedError(
      `${labelOf(inputs)}: adopt: the deployment ${resource.id} has secrets that the program does not give, and adopting it would remove them: ${unmanaged.join(", ")}. Add them to secrets`,
    );
  }
  const fixed = changesBetween(deploymentRows, olds, inputs, profile).filter(
    ({ effect, unknown }) => effect === "replace" && !unknown,
  );
  if (fixed.length > 0) {
    throw new RefusedError(
      `${labelOf(inputs)}: adopt: the deployment ${resource.id} differs in what cannot be changed: ${describeVerdict("replace", fixed, hiddenIn(inputs)).replace(/^is replaced /, "")}. Give what it has`,
    );
  }
  const plan = planUpdate({ ...olds, latestRevisionId: resource.latest_revision_id }, inputs, profile);
  const refusal = refusalOf(plan, olds, inputs, profile, newRevisions);
  if (refusal !== undefined) throw new RefusedError(refusal);
  return {
    id: resource.id as string,
    resource,
    olds: { ...olds, latestRevisionId: resource.latest_revision_id },
    plan,
  };
}

/** What the service has of the arguments that the program gives; arguments of our own are no difference. */
function managedPart(inputs: Properties, live: Properties): Properties {
  const part: Properties = {};
  for (const [name, field] of Object.entries(deploymentRows)) {
    if (isAbsent(inputs[name])) continue;
    if (field.wire === undefined || "patchOnly" in field) part[name] = inputs[name];
    else if (field.kind.type === "keyed") part[name] = live[name];
    else part[name] = common(inputs[name], live[name]);
  }
  return part;
}

function common(managed: unknown, live: unknown): unknown {
  if (!isProperties(managed) || !isProperties(live)) return live;
  const names = Object.keys(managed).filter((name) => !isAbsent(live[name]));
  return Object.fromEntries(names.map((name) => [name, common(managed[name], live[name])]));
}

/** The secrets that the service names; what it shows of their values may be a mask. */
function secretsIn(resource: Properties, service: Service): Properties {
  const secrets = shownSecrets(resource, service.connection.profile);
  return Object.fromEntries(
    Object.keys((secrets as Properties | undefined) ?? {}).map((name) => [name, HELD]),
  );
}

function unmanagedSecrets(held: Properties, inputs: Properties): string[] {
  if (inputs.secrets === UNKNOWN) return [];
  const given = isProperties(inputs.secrets) ? inputs.secrets : {};
  return Object.keys(held).filter((name) => !Object.hasOwn(given, name));
}

/** The plan of an adoption in words, for the preview. */
export function describeAdoption(adoption: Adoption, inputs: Properties): string {
  const { verdict, changes } = adoption.plan;
  const words = describeVerdict(verdict, changes, hiddenIn(inputs));
  return `takes over the existing deployment ${adoption.id}; ${verdict === "unchanged" ? "nothing in it changes" : `it ${words}`}`;
}
