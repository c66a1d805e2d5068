/** Finds which resources of a plan depend on which. */
import { hasUnknown, sameValue, valueAt } from "../../../provider/fields/value";
import type { Dependent } from "../model";
import type { PlannedResource } from "../read/resources";

/** Dependents by the URN of the resource that they depend on, assuming that it gets a new revision. */
export type Dependents = ReadonlyMap<string, readonly Dependent[]>;

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

/** The URNs that a resource depends on, with the inputs that come from each. */
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
