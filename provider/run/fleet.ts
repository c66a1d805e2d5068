/** The names and ids that the resources of this run have in one account. */
import type { Keepers } from "./keepers";

export class Fleet {
  readonly names = new Names();

  /** `keepers`: shared by all accounts on the service, because two accounts may reach the same deployment. */
  constructor(readonly keepers: Keepers) {}
}

/** `givesUp`: the name becomes free only when the engine deletes the old deployment of a replacement. */
type Use = "creates" | "has" | "givesUp";

export interface NameUse {
  readonly urn: string;
  readonly use: Use;
}

/** Records which of the program's resources use each name. No two deployments may get the same name. */
class Names {
  readonly #uses = new Map<string, Map<string, NameUse>>();

  /** Records the use of the name. Returns a conflicting use by a different resource, if there is one. */
  note(name: string, nameUse: NameUse): NameUse | undefined {
    const uses = this.#uses.get(name) ?? new Map<string, NameUse>();
    this.#uses.set(name, uses.set(nameUse.urn, nameUse));
    const rivals = [...uses.values()].filter(({ urn }) => urn !== nameUse.urn);
    return nameUse.use === "creates" ? rivals[0] : rivals.find(({ use }) => use === "creates");
  }

  isCreatedBy(urn: string, name: unknown): boolean {
    return typeof name === "string" && this.#uses.get(name)?.get(urn)?.use === "creates";
  }
}
