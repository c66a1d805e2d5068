/** Entries of the lists that have an order of their own, whatever the service's is: oldest first. */

export interface Listed {
  readonly id: string;
  /** A deployment's name, or the cluster of a listener. */
  readonly name: string;
  /** As the service spells it; empty if it does not tell. */
  readonly createdAt: string;
}

/** Ids decide between entries of one moment. */
export function oldestFirst(one: Age, other: Age): number {
  return ordered(one.createdAt, other.createdAt) || ordered(one.id, other.id);
}

type Age = Pick<Listed, "id" | "createdAt">;

const ordered = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
