/** The parts of a URN: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`, where a name may itself hold "::". */

const partsOf = (urn: string): string[] => urn.split("::");

/** The name in the program. */
export const nameIn = (urn: string): string => partsOf(urn).slice(3).join("::");

/** The parents' types and its own, joined by `$`. */
export const typesIn = (urn: string): string => partsOf(urn)[2] ?? "";

export const typeIn = (urn: string): string => typesIn(urn).split("$").at(-1) as string;

/** `project/stack`; undefined if the text is no URN. */
export function stackOf(urn: string): string | undefined {
  const [stack, project] = partsOf(urn);
  return project === undefined ? undefined : `${project}/${(stack as string).slice("urn:pulumi:".length)}`;
}
