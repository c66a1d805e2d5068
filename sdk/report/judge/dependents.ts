/** What depends on what: the resources of a plan by those whose outputs they take. */
import { hasUnknown, sameValue, valueAt } from "../../../provider/fields/value";
import type { Dependent } from "../model";
import type { PlannedResource } from "../read/resources";

/** By the URN of what is depended on: the dependents, as they are where that gets a new revision. */
export type Dependents = ReadonlyMap<string, readonly Dependent[]>;

export function dependentsIn(resources: readonly PlannedResource[]): Dependents {
  const found = new Map<string, Dependent[]>();
  for (const resource of resources) {
    for (const [urn, properties] of takenBy(resource)) {
      const dependent = dependentOf(resource, properties);
      const known = found.get(urn);
      if (known === undefined) found.set(urn, [dependent]);
      else known.push(dependent);
    }
  }
  return found;
}

/** The URNs that a resource depends on, with the inputs that come from each. */
function takenBy({ before, after }: PlannedResource): Map<string, string[]> {
  const state = after ?? before;
  const taken = new Map<string, string[]>((state?.dependencies ?? []).map((urn) => [urn, []]));
  for (const [property, urns] of Object.entries(state?.propertyDependencies ?? {})) {
    for (const urn of urns ?? []) {
      const known = taken.get(urn);
      if (known === undefined) taken.set(urn, [property]);
      else known.push(property);
    }
  }
  return taken;
}

function dependentOf(resource: PlannedResource, properties: readonly string[]): Dependent {
  const { urn, name, type, fate } = resource;
  const moves = properties.some((property) => isMoving(resource, property));
  const op = fate === "leftover" ? "delete" : fate;
  return {
    urn,
    name,
    type,
    op,
    properties: [...properties].sort(),
    followsRevision: fate !== "same" && moves,
  };
}

function isMoving({ before, after }: PlannedResource, property: string): boolean {
  const value = valueAt(after?.inputs, [property]);
  return hasUnknown(value) || !sameValue(valueAt(before?.inputs, [property]), value);
}
