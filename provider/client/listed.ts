/** Entries of lists, and their fixed order: oldest first, whatever order the service uses. */
import { compareTexts } from "../schema/words";

export interface Listed {
  readonly id: string;
  /** The name of a deployment, or the cluster of a listener. */
  readonly name: string;
  /** The creation time as the service writes it; empty if the service gives none. */
  readonly createdAt: string;
}

/** Sorts entries by their creation time, and entries created at the same moment by their ids. */
export function oldestFirst(first: Age, second: Age): number {
  return compareTexts(first.createdAt, second.createdAt) || compareTexts(first.id, second.id);
}

type Age = Pick<Listed, "id" | "createdAt">;
