/** Which resources of the program have, or are to create, a deployment of a name: the service is never asked for a second one. */

/** `givesUp`: it has the name until the end of the update, when the old one of a replacement goes. */
type Use = "creates" | "has" | "givesUp";

export interface NameUse {
  readonly urn: string;
  readonly use: Use;
}

export class Names {
  readonly #uses = new Map<string, Map<string, NameUse>>();

  /** Notes the use. Returns that of another resource, if the two exclude each other: one creates what the other has. */
  note(name: string, own: NameUse): NameUse | undefined {
    const uses = this.#uses.get(name) ?? new Map<string, NameUse>();
    this.#uses.set(name, uses.set(own.urn, own));
    const others = [...uses.values()].filter(({ urn }) => urn !== own.urn);
    return own.use === "creates" ? others[0] : others.find(({ use }) => use === "creates");
  }
}
