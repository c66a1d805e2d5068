/** Merges the steps of a preview by resource, and finds which resources depend on which. */

import { COMPUTED } from "../../../provider/deployment/arguments";
import { PLAN_NOTES } from "../../../provider/engine/schema";
import { sameValue } from "../../../provider/schema/compare";
import { nameIn, stackOf, typeIn } from "../../../provider/schema/naming";
import {
  entryNamed,
  hasUnknown,
  isProperties,
  type Properties,
  UNKNOWN,
  valueAt,
} from "../../../provider/schema/value";
import type { Dependent } from "../model";
import { type ArgumentDiff, detailsOf, recordedOf } from "./hidden";
import { OPERATIONS, type OperationMeaning } from "./operations";
import type { EngineState, EngineStep, Preview } from "./preview";

export interface PlannedResource {
  readonly urn: string;
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  readonly fate: OperationMeaning;
  /** Whether the engine planned without the provider, because the provider's settings are unknown before the apply. */
  readonly isUnplanned: boolean;
  /** The id that the option `import` gives: the engine imports the resource before the resource's other steps. */
  readonly imports: string | undefined;
  /** Whether the engine replaces the resource along with a dependency or by force, whatever its arguments are. */
  readonly isReplacedAnyway: boolean;
  /** Whether the engine replaces the resource because its new connection reaches, or may reach, another service. */
  readonly leavesService: boolean;
  /** Whether a person forces the replacement, with `--replace` or by tainting the resource. */
  readonly isForced: boolean;
  /**
   * An operation of the engine that `OPERATIONS` lacks, because the engine has another version; otherwise undefined.
   */
  readonly unknownOperation: string | undefined;
  readonly before: EngineState | undefined;
  readonly after: EngineState | undefined;
  /** The engine's own diff by argument; empty in the dynamic form. */
  readonly details: readonly ArgumentDiff[];
  /** Old resources from earlier replacements, which the plan deletes in addition to its change of this resource. */
  readonly leftovers: readonly EngineState[];
}

/**
 * The meanings of steps by precedence: if a resource has several steps, the meaning that comes first is the resource's
 * fate.
 */
const WEIGHT: readonly OperationMeaning[] = [
  "replace",
  "create",
  "update",
  "delete",
  "import",
  "same",
  "leftover",
  "read",
];

/** The planned resources, in the order of their first steps. */
export function resourcesOf({ steps }: Preview): PlannedResource[] {
  const resources = new Map<string, PlannedResource>();
  const unsettledUrns = new Set(steps.filter(isUnsettledProvider).map(({ urn }) => urn));
  for (const step of steps) {
    const earlier = resources.get(step.urn);
    const stepResource = resourceOf(step);
    const isUnplanned = stepResource.after !== undefined && unsettledUrns.has(providerUrnOf(stepResource));
    const resource = isUnplanned
      ? { ...stepResource, isUnplanned, after: withComputed(stepResource) }
      : stepResource;
    resources.set(step.urn, earlier === undefined ? resource : merge(earlier, resource));
  }
  return [...resources.values()].map(withoutOwnLeftover);
}

const isUnsettledProvider = ({ urn, newState }: EngineStep): boolean =>
  typeIn(urn).startsWith("pulumi:providers:") && hasUnknown(newState?.inputs);

/** The URN of the resource's provider, from the state's reference (a URN and an id); empty without a reference. */
export const providerUrnOf = ({ after, before }: PlannedResource): string =>
  (after ?? before)?.provider?.replace(/::[^:]*$/, "") ?? "";

/** The new state, with the recorded inputs that `check` adds; otherwise an update would seem to remove them. */
function withComputed({ before, after }: PlannedResource): EngineState | undefined {
  const computedInputs = Object.entries(before?.inputs ?? {}).filter(([name]) =>
    [...COMPUTED, ...PLAN_NOTES].includes(name),
  );
  return after && { ...after, inputs: { ...Object.fromEntries(computedInputs), ...after.inputs } };
}

/** Keeps only the leftovers of earlier replacements: the resource itself and this plan's old resource are dropped. */
const withoutOwnLeftover = ({ fate, before, leftovers, ...resource }: PlannedResource): PlannedResource => ({
  ...resource,
  fate,
  before,
  leftovers: leftovers.filter(({ id }) => fate !== "leftover" && id !== before?.id),
});

/** A resource that the program previously only read counts as created, because the stack did not manage it. */
function fateOf({ op, oldState }: EngineStep): OperationMeaning | undefined {
  const fate = entryNamed(OPERATIONS, op);
  return fate === "replace" && oldState?.external ? "create" : fate;
}

const isForced = ({ replaceReasons }: EngineStep): boolean => String(replaceReasons) === "id";

export function resourceOf(step: EngineStep): PlannedResource {
  const fate = fateOf(step);
  return {
    urn: step.urn,
    type: typeIn(step.urn),
    name: nameIn(step.urn),
    fate: fate ?? "update",
    isUnplanned: false,
    imports: fate === "import" ? step.newState?.importID : undefined,
    isReplacedAnyway: fate === "replace" && (!step.replaceReasons?.length || isForced(step)),
    leavesService: step.replaceReasons?.includes("connection") === true,
    isForced: fate === "replace" && isForced(step),
    unknownOperation: fate === undefined ? step.op : undefined,
    before: (fate === "create" ? undefined : step.oldState) ?? undefined,
    after: step.newState ?? undefined,
    details: detailsOf(step),
    leftovers: step.op === "delete-replaced" && step.oldState ? [step.oldState] : [],
  };
}

/**
 * Merges two steps of one resource. If both steps have the same weight, the later step counts, because a refresh adds a
 * step ahead of the plan's step.
 */
function merge(earlier: PlannedResource, later: PlannedResource): PlannedResource {
  const [main, minor] =
    WEIGHT.indexOf(later.fate) <= WEIGHT.indexOf(earlier.fate) ? [later, earlier] : [earlier, later];
  const isStateOfLeftover = minor.fate === "leftover" && main.fate !== "replace";
  return {
    ...main,
    // If a resource is deleted before a replaced dependency, only the first of the resource's two steps lacks reasons.
    isReplacedAnyway: main.isReplacedAnyway || minor.isReplacedAnyway,
    leavesService: main.leavesService || minor.leavesService,
    imports: main.imports ?? minor.imports,
    unknownOperation: main.unknownOperation ?? minor.unknownOperation,
    // The state of a leftover describes an old resource, so it is not the earlier state of this resource.
    before: main.before ?? (isStateOfLeftover ? undefined : minor.before),
    after: main.after ?? minor.after,
    details: main.details.length > 0 ? main.details : minor.details,
    leftovers: [...earlier.leftovers, ...later.leftovers],
  };
}

/** The preview's `project/stack`; undefined if the preview has no URN. */
export function stackIn({ steps, diagnostics }: Preview): string | undefined {
  const urns = [...steps, ...diagnostics].map(({ urn = "" }) => urn);
  return stackOf(urns.find((urn) => urn.startsWith("urn:pulumi:")) ?? "");
}

/**
 * The new inputs. For a replacement, the provider counts each secret's generation from 1 again, which would hide
 * whether the secret changes, so the recorded generation is put back.
 */
export function newInputsOf({ fate, before, after }: PlannedResource): Properties {
  const inputs = recordedOf({ inputs: after?.inputs });
  const [olds, news] = [recordedOf(before).secretGenerations, inputs.secretGenerations];
  if (fate !== "replace" || !isProperties(olds) || !isProperties(news)) return inputs;
  const generations = Object.entries(news).map(([name, generation]) => [
    name,
    generation !== UNKNOWN && Object.hasOwn(olds, name) ? olds[name] : generation,
  ]);
  return { ...inputs, secretGenerations: Object.fromEntries(generations) };
}

/** Maps the URN of a resource to the resource's dependents, described as if the resource got a new revision. */
type Dependents = ReadonlyMap<string, readonly Dependent[]>;

export function dependentsIn(resources: readonly PlannedResource[]): Dependents {
  const dependents = new Map<string, Dependent[]>();
  for (const resource of resources)
    for (const [urn, properties] of inputsByUrn(resource)) {
      const dependentsOfUrn = dependents.get(urn) ?? [];
      dependents.set(urn, dependentsOfUrn);
      dependentsOfUrn.push(dependentOf(resource, properties));
    }
  return dependents;
}

/** The URNs that a resource depends on, with the inputs that come from each of them. */
function inputsByUrn({ before, after }: PlannedResource): [urn: string, properties: string[]][] {
  const { dependencies, propertyDependencies } = after ?? before ?? {};
  const byProperty = Object.entries(propertyDependencies ?? {});
  const urns = new Set([...(dependencies ?? []), ...byProperty.flatMap(([, sources]) => sources ?? [])]);
  return [...urns].map((urn) => [
    urn,
    byProperty.filter(([, sources]) => sources?.includes(urn)).map(([property]) => property),
  ]);
}

function dependentOf(resource: PlannedResource, properties: readonly string[]): Dependent {
  const { urn, name, type, fate } = resource;
  return {
    urn,
    name,
    type,
    op: fate === "leftover" ? "delete" : fate,
    properties: [...properties].sort(),
    followsRevision: fate !== "same" && properties.some((property) => mayChange(resource, property)),
  };
}

function mayChange({ before, after }: PlannedResource, property: string): boolean {
  const input = valueAt(after?.inputs, [property]);
  return hasUnknown(input) || !sameValue(valueAt(before?.inputs, [property]), input);
}
