/** Requests that a person makes of the engine, apart from the program: forced replacements and targets. */
import * as fc from "fast-check";
import { ROLES, type Role, type Slot, urnOf } from "./slots";

export type Ask =
  /** The option `--replace` of the command, or `pulumi state taint` before it. */
  | { readonly how: "replace" | "taint"; readonly role: Role }
  /** The slots that the command leaves out: it targets all others. */
  | { readonly how: "leave out" };

const forced = fc.record({
  how: fc.constantFrom("replace" as const, "taint" as const),
  role: fc.constantFrom<Role>("main", "main", "next", "listener"),
});
const leftOut: fc.Arbitrary<Ask> = fc.constant({ how: "leave out" });

/** Every second round forces a few replacements; every fourth round has targets. */
export function asksOf(slots: number): fc.Arbitrary<(Ask | undefined)[]> {
  const all = (each: fc.Arbitrary<Ask>, freq: number) =>
    fc.array(fc.option(each, { freq, nil: undefined }), { minLength: slots, maxLength: slots });
  const none = fc.constant(Array.from({ length: slots }, () => undefined));
  return fc.oneof(
    { weight: 2, arbitrary: all(forced, 2) },
    { weight: 1, arbitrary: all(leftOut, 2) },
    { weight: 1, arbitrary: none },
  );
}

const urnsOf = (slot: Slot): string[] =>
  ROLES.flatMap((role) => (slot[role] === undefined ? [] : [urnOf(slot, role)]));

/** The resources that each resource depends on, by its arguments or by an option. */
const referencesIn = (slot: Slot): string[] =>
  Object.entries(slot).flatMap(([role, declared]) =>
    [...JSON.stringify(declared).matchAll(/"(?:\$from":\[|replaceWith":|deletedWith":)"(\w+)"/g)].map(
      ([, target]) => `${role} to ${target}`,
    ),
  );

/** Whether each resource still depends on every resource that it depended on before. */
function keepsReferences(before: Slot, after: Slot): boolean {
  const references = new Set(referencesIn(after));
  return referencesIn(before).every((reference) => references.has(reference));
}

/**
 * Drops impossible requests: a replacement of nothing, or under a provider whose settings are unknown until the apply,
 * and targets that leave out what is created, deleted or moved. Also targets that leave out a resource with fewer
 * dependencies than before: the engine keeps its old ones for it, and then refuses their own registration as a
 * "Duplicate resource URN", whatever the provider.
 */
export function possible(ask: Ask | undefined, before: Slot, after: Slot): Ask | undefined {
  if (ask === undefined) return undefined;
  if (ask.how === "leave out")
    return String(urnsOf(before)) === String(urnsOf(after)) && keepsReferences(before, after)
      ? ask
      : undefined;
  const isThere = [before, after].every((slot) => slot[ask.role] !== undefined);
  const isProviderKnown = !JSON.stringify(after.provider ?? {}).includes('"$unknown"');
  return isThere && isProviderKnown && urnOf(before, ask.role) === urnOf(after, ask.role) ? ask : undefined;
}

/** The URNs to replace with that option. */
export function forcedIn(
  asks: readonly (Ask | undefined)[],
  slots: readonly Slot[],
  how: Ask["how"],
): string[] {
  return asks.flatMap((ask, index) =>
    ask?.how === how && ask.how !== "leave out" ? [urnOf(slots[index] as Slot, ask.role)] : [],
  );
}

/** The arguments of preview and up. `slots` is declared now; `olds` was applied last. */
export function argumentsOf(
  asks: readonly (Ask | undefined)[],
  slots: readonly Slot[],
  olds: readonly Slot[],
): string[] {
  const replaced = forcedIn(asks, slots, "replace").flatMap((urn) => ["--replace", urn]);
  if (!asks.some((ask) => ask?.how === "leave out")) return replaced;
  const targets = [slots, olds].flatMap((each) =>
    each.flatMap((slot, index) => (asks[index]?.how === "leave out" ? [] : urnsOf(slot))),
  );
  const unknowns = "urn:pulumi:test::agreement::pulumi:index:Stash::fresh-*";
  return [...new Set([...targets, unknowns])].flatMap((urn) => ["--target", urn]).concat(replaced);
}
