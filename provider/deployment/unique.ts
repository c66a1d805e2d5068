/** Refuses a program in which two resources use the same deployment name. */
import type { Call } from "../call";
import type { NameUse } from "../run/fleet";
import { nameIn } from "../schema/naming";
import type { Arguments, Inputs } from "../schema/recorded";
import { printable } from "../schema/secrecy";
import { hasUnknown } from "../schema/value";

/** Throws a RefusedError if another resource of the program has or creates a deployment with this name. */
export function createsName(call: Call, { name }: Inputs): void {
  note(call, name, "creates");
}

/** Throws a RefusedError if another resource of the program creates a deployment with this deployment's name. */
export function hasName(call: Call, before: Arguments, inputs: Inputs): void {
  // A resource that moves to a different service does not have the name there yet.
  if (!call.run.staysOnService(before, inputs.connection)) return;
  note(call, before.name, hasUnknown(inputs.name) || before.name === inputs.name ? "has" : "givesUp");
}

function note(call: Call, name: unknown, use: NameUse["use"]): void {
  if (typeof name !== "string" || hasUnknown(name) || call.urn === "") return;
  const nameUse = { urn: call.urn, use };
  const otherUse = call.service.fleet.names.note(name, nameUse);
  if (otherUse !== undefined) throw call.refuse(clash(call, printable(name), nameUse, otherUse));
}

function clash({ baseUrl }: Call, name: string, firstUse: NameUse, secondUse: NameUse): string {
  const [creator, keeper] = firstUse.use === "creates" ? [firstUse, secondUse] : [secondUse, firstUse];
  const areNamesakes = nameIn(creator.urn) === nameIn(keeper.urn);
  const [creating, keeping] = [creator, keeper].map(({ urn }) =>
    areNamesakes ? printable(urn) : `"${printable(nameIn(urn))}"`,
  );
  if (keeper.use === "creates")
    return `two resources of this program are to create a deployment named "${name}" on ${baseUrl}: ${keeping} and ${creating}. Set a different name for each`;
  const beginning = `${creating} is to create a deployment named "${name}" on ${baseUrl}, but ${keeping}`;
  return keeper.use === "has"
    ? `${beginning} of this program has that name. Set a different name for each`
    : `${beginning} of this program keeps that name until everything is created. Use the name in a later update`;
}
