/** Generates command-line requests to the engine: forced replacements and targets. */
import * as fc from "fast-check";
import { ROLES, type Role, type Slot, urnOf } from "./slots";

export type Ask =
  /** Replaces the resource, either with the option `--replace` or with `pulumi state taint` before the command. */
  | { readonly how: "replace" | "taint"; readonly role: Role }
  /** Leaves the slot out: the command targets the resources of all other slots. */
  | { readonly how: "leave out" };

const forced = fc.record({
  how: fc.constantFrom("replace" as const, "taint" as const),
  role: fc.constantFrom<Role>("main", "main", "next", "listener"),
});
const leftOut: fc.Arbitrary<Ask> = fc.constant({ how: "leave out" });

/** On average, half of the rounds force a few replacements, and a quarter of the rounds have targets. */
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

/** The dependencies between a slot's resources, in arguments and options, each as `role to role`. */
const referencesIn = (slot: Slot): string[] =>
  Object.entries(slot).flatMap(([role, declared]) =>
    [...JSON.stringify(declared).matchAll(/"(?:\$from":\[|replaceWith":|deletedWith":)"(\w+)"/g)].map(
      ([, target]) => `${role} to ${target}`,
    ),
  );

/** Whether each resource keeps all its dependencies. */
function keepsReferences(before: Slot, after: Slot): boolean {
  const references = new Set(referencesIn(after));
  return referencesIn(before).every((reference) => references.has(reference));
}

/**
 * The request, or undefined if the request is impossible. A resource cannot be replaced if the program did not declare
 * it before, or if the settings of its provider are unknown until the apply. A slot cannot be left out if one of its
 * resources is created, deleted or moved. A slot also cannot be left out if one of its resources loses a dependency:
 * the engine then registers the old dependency itself, and refuses the program's later registration as a "Duplicate
 * resource URN". This happens with any provider.
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

/** The URNs of the resources that `how` (`--replace` or `pulumi state taint`) makes the engine replace. */
export function forcedIn(
  asks: readonly (Ask | undefined)[],
  slots: readonly Slot[],
  how: Ask["how"],
): string[] {
  return asks.flatMap((ask, index) =>
    ask?.how === how && ask.how !== "leave out" ? [urnOf(slots[index] as Slot, ask.role)] : [],
  );
}

/**
 * The options `--replace` and `--target` for `pulumi preview` and `pulumi up`. `slots`: the slots that the program now
 * declares; `olds`: the slots as they were last applied.
 */
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
