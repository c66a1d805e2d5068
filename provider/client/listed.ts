/** Entries of lists, and their fixed order: oldest first, whatever the service's order. */
import { compareTexts } from "../fields/words";

export interface Listed {
  readonly id: string;
  /** The name of a deployment, or the cluster of a listener. */
  readonly name: string;
  /** The creation time as the service spells it; empty if the service gives none. */
  readonly createdAt: string;
}

/** Sorts entries by their creation time, and entries of the same moment by their ids. */
export function oldestFirst(first: Age, second: Age): number {
  return compareTexts(first.createdAt, second.createdAt) || compareTexts(first.id, second.id);
}

type Age = Pick<Listed, "id" | "createdAt">;
