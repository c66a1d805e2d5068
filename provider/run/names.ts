/** The resources of the program that have, or will create, a deployment of a name, so that no name is created twice. */

/** `givesUp`: has the name until the end of the update, when the old one of a replacement is deleted. */
type Use = "creates" | "has" | "givesUp";

export interface NameUse {
  readonly urn: string;
  readonly use: Use;
}

export class Names {
  readonly #uses = new Map<string, Map<string, NameUse>>();

  /** Notes the use. Returns a conflicting use of another resource: one creates the name that the other has. */
  note(name: string, nameUse: NameUse): NameUse | undefined {
    const uses = this.#uses.get(name) ?? new Map<string, NameUse>();
    this.#uses.set(name, uses.set(nameUse.urn, nameUse));
    const rivals = [...uses.values()].filter(({ urn }) => urn !== nameUse.urn);
    return nameUse.use === "creates" ? rivals[0] : rivals.find(({ use }) => use === "creates");
  }
}
