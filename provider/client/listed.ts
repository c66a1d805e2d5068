/** List entries, and their fixed order. The oldest entry comes first, whatever order the service uses. */
import { compareTexts } from "../schema/words";

export interface Listed {
  readonly id: string;
  /** The name of a deployment, or the cluster of a listener. */
  readonly name: string;
  /** The creation time in the service's spelling; empty if the service reports none. */
  readonly createdAt: string;
}

/** Sorts entries by their creation time. Entries with the same creation time are sorted by id. */
export function oldestFirst(first: Age, second: Age): number {
  return compareTexts(first.createdAt, second.createdAt) || compareTexts(first.id, second.id);
}

type Age = Pick<Listed, "id" | "createdAt">;
