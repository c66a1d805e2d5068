/** Notes that the resources of this run share about the deployments and listeners of one account. */
import type { Properties } from "../fields/value";

/** Id to the URN of the resource that keeps it, or that created or adopted it in this run. */
export type Keepers = Map<string, string>;

export class Fleet {
  readonly names = new Names();
  readonly #keepers: Keepers;
  /** URN to the id that is being replaced. */
  readonly #predecessors = new Map<string, string>();
  /** Ids of the listeners that are being replaced by others. */
  readonly #left = new Set<string>();
  /** Ids of the deployments whose revision this plan creates again although no argument changes. */
  readonly #remade = new Set<string>();
  /** URN to the arguments that its creation has sent in this run, which the engine may ask for once more after a failure. */
  readonly sent = new Map<string, Properties>();
  /** Names of the deployments that are being created right now. */
  readonly #creating = new Set<string>();

  /** `keepers`: those of all accounts on the service, since two of them may reach one deployment. */
  constructor(keepers: Keepers = new Map()) {
    this.#keepers = keepers;
  }

  /** Notes that the resource keeps this id from now on. If another one does already, returns its URN and notes nothing. */
  claim(id: string, urn: string): string | undefined {
    const keeper = this.#keepers.get(id);
    if (keeper !== undefined && keeper !== urn) return keeper;
    this.#keepers.set(id, urn);
    return undefined;
  }

  /** The URN of the resource that keeps it, so that nobody deletes it as another's leftover. */
  keeperOf(id: string): string | undefined {
    return this.#keepers.get(id);
  }

  /** Notes that the plan replaces this id: its successor must not take it over. Takes back what was noted for an update. */
  replaces(urn: string, id: string): void {
    this.#predecessors.set(urn, id);
    this.#remade.delete(id);
    if (this.#keepers.get(id) === urn) this.#keepers.delete(id);
  }

  predecessorOf(urn: string): string | undefined {
    return this.#predecessors.get(urn);
  }

  /** Notes that the plan certainly replaces the listener with this id. */
  leaves(id: string): void {
    this.#left.add(id);
  }

  /** Whether the plan replaces the listener with this id. */
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

  /** Creates, unless another resource of this run is creating one of that name; then returns undefined. */
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

/** `givesUp`: has the name until the end of the update, when the old one of a replacement is deleted. */
type Use = "creates" | "has" | "givesUp";

export interface NameUse {
  readonly urn: string;
  readonly use: Use;
}

/** The resources of the program that have, or will create, a deployment of a name, so that no name is created twice. */
class Names {
  readonly #uses = new Map<string, Map<string, NameUse>>();

  /** Notes the use. Returns a conflicting use of another resource: one creates the name that the other has. */
  note(name: string, nameUse: NameUse): NameUse | undefined {
    const uses = this.#uses.get(name) ?? new Map<string, NameUse>();
    this.#uses.set(name, uses.set(nameUse.urn, nameUse));
    const rivals = [...uses.values()].filter(({ urn }) => urn !== nameUse.urn);
    return nameUse.use === "creates" ? rivals[0] : rivals.find(({ use }) => use === "creates");
  }

  /** Whether the resource is to create that name. */
  isCreatedBy(urn: string, name: unknown): boolean {
    return typeof name === "string" && this.#uses.get(name)?.get(urn)?.use === "creates";
  }
}
