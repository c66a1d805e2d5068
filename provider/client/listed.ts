/** Entries of lists that are always in the same order, oldest first, whatever the service's order. */
import { compareTexts } from "../fields/words";

export interface Listed {
  readonly id: string;
  /** A deployment's name, or the cluster of a listener. */
  readonly name: string;
  /** The creation time as the service spells it; empty if the service does not tell. */
  readonly createdAt: string;
}

/** Entries of the same moment are in the order of their ids. */
export function oldestFirst(first: Age, second: Age): number {
  return compareTexts(first.createdAt, second.createdAt) || compareTexts(first.id, second.id);
}

type Age = Pick<Listed, "id" | "createdAt">;
