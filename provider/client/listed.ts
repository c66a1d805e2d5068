/** Entries of the lists that have a fixed order, whatever the service's order: the oldest entry first. */

export interface Listed {
  readonly id: string;
  /** A deployment's name, or the cluster of a listener. */
  readonly name: string;
  /** The creation time as the service spells it; empty if the service does not tell. */
  readonly createdAt: string;
}

/** The ids decide the order of entries that were made at one moment. */
export function oldestFirst(one: Age, other: Age): number {
  return ordered(one.createdAt, other.createdAt) || ordered(one.id, other.id);
}

type Age = Pick<Listed, "id" | "createdAt">;

const ordered = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
