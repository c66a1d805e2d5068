/** What the resources of this run tell each other about the deployments and listeners of one account. */
import { Names } from "./names";

export class Fleet {
  readonly names = new Names();
  /** Id to the URN of the resource that keeps it, or that created or adopted it in this run. */
  readonly #keepers = new Map<string, string>();
  /** URN to the id that is being replaced. */
  readonly #predecessors = new Map<string, string>();
  /** Ids of the listeners that are being replaced by others. */
  readonly #left = new Set<string>();
  /** Ids of the deployments whose revision this plan creates again although no argument changes. */
  readonly #remade = new Set<string>();
  /** Names of the deployments that are being created right now. */
  readonly #creating = new Set<string>();

  /** Notes that the resource keeps this id from now on. Returns the URN of another one that does already, and notes nothing. */
  claim(id: string, urn: string): string | undefined {
    const keeper = this.#keepers.get(id);
    if (keeper !== undefined && keeper !== urn) return keeper;
    this.#keepers.set(id, urn);
    return undefined;
  }

  /** The URN of the resource that keeps it: it must not be deleted as the leftover of another. */
  keeperOf(id: string): string | undefined {
    return this.#keepers.get(id);
  }

  /** Notes that the plan replaces this id: its successor must not take it over. */
  replaces(urn: string, id: string): void {
    this.#predecessors.set(urn, id);
  }

  predecessorOf(urn: string): string | undefined {
    return this.#predecessors.get(urn);
  }

  /** Notes that the plan replaces the listener of this id by another one, for certain. */
  leaves(id: string): void {
    this.#left.add(id);
  }

  /** Whether that is the id of a listener which the plan replaces by another one. */
  isLeft(id: unknown): boolean {
    return typeof id === "string" && this.#left.has(id);
  }

  /** Notes that the plan creates the revision of this deployment again. */
  makesAgain(id: string): void {
    this.#remade.add(id);
  }

  isMadeAgain(id: string): boolean {
    return this.#remade.has(id);
  }

  /** Creates, while no other resource of this run is creating something of that name. Returns undefined where one is. */
  async createAlone<T>(name: string, create: () => Promise<T>): Promise<T | undefined> {
    if (this.#creating.has(name)) return undefined;
    this.#creating.add(name);
    try {
      return await create();
    } finally {
      this.#creating.delete(name);
    }
  }
}
