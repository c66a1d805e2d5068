/** Which resources of a plan depend on which: by URN of the one whose outputs they take. */
import { hasUnknown, sameValue, valueAt } from "../../../provider/fields/value";
import type { Dependent } from "../model";
import type { PlannedResource } from "../read/resources";

/** The dependents by the URN of the resource that they depend on, as if that got a new revision. */
export type Dependents = ReadonlyMap<string, readonly Dependent[]>;

export function dependentsIn(resources: readonly PlannedResource[]): Dependents {
  const found = new Map<string, Dependent[]>();
  for (const resource of resources)
    for (const [urn, properties] of takenBy(resource)) {
      const known = found.get(urn) ?? [];
      found.set(urn, known);
      known.push(dependentOf(resource, properties));
    }
  return found;
}

/** The URNs that a resource depends on, with the inputs that come from each. */
function takenBy({ before, after }: PlannedResource): [urn: string, properties: string[]][] {
  const { dependencies, propertyDependencies } = after ?? before ?? {};
  const byProperty = Object.entries(propertyDependencies ?? {});
  const urns = new Set([...(dependencies ?? []), ...byProperty.flatMap(([, own]) => own ?? [])]);
  return [...urns].map((urn) => [
    urn,
    byProperty.filter(([, own]) => own?.includes(urn)).map(([property]) => property),
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
    followsRevision: fate !== "same" && properties.some((property) => isMoving(resource, property)),
  };
}

function isMoving({ before, after }: PlannedResource, property: string): boolean {
  const value = valueAt(after?.inputs, [property]);
  return hasUnknown(value) || !sameValue(valueAt(before?.inputs, [property]), value);
}
