/** Generates the options of a resource, the options of its parent, and the options that a transformation sets. */
import * as fc from "fast-check";
import { isPlugin } from "../support/engine/form";
import { SECRET_COMMAND } from "./leaks";
import {
  changed,
  type Declared,
  type Edit,
  edited,
  type Options,
  type Role,
  type Transformation,
  withOptions,
} from "./slots";

const often = fc.constantFrom<Role>("main", "next", "outer", "inner", "listener");
const ignored = fc.constantFrom<readonly string[] | undefined>(
  undefined,
  ["sourceRevisionConfig.imageUri"],
  ["sourceConfig.installCommand", "sourceConfig.buildCommand"],
  ["sourceRevisionConfig"],
  ["secrets"],
  ["secrets.KEY"],
  ["name"],
  ["revisionTriggers"],
);

/** Options that make the engine replace a resource, although the provider would only update it. */
const forcing: fc.Arbitrary<Options> = fc.oneof(
  fc
    .constantFrom(
      [],
      ["*"],
      ["sourceConfig"],
      ["sourceConfig.resourceSpec.minScale"],
      ["sourceRevisionConfig"],
      ["secrets"],
      ["computeConfig"],
    )
    .map((replaceOnChanges) => ({ replaceOnChanges })),
  fc.constantFrom("a", "b", "c").map((replacementTrigger) => ({ replacementTrigger })),
);

const plain: fc.Arbitrary<Options> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(true, false).map((retainOnDelete) => ({ retainOnDelete })) },
  { weight: 1, arbitrary: fc.constantFrom(true, false, false, false).map((protect) => ({ protect })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(true, false).map((deleteBeforeReplace) => ({ deleteBeforeReplace })),
  },
  {
    weight: 1,
    arbitrary: ignored.map((ignoreChanges) => (ignoreChanges === undefined ? {} : { ignoreChanges })),
  },
);

const FOLLOWING = isPlugin ? (["replaceWith"] as const) : [];

/**
 * The role of a resource, and the role that the resource's option `deletedWith` or `replaceWith` names. These pairs
 * cannot make a circular dependency.
 */
const together = fc.constantFrom<readonly [Role, Role]>(
  ["main", "anchor"],
  ["next", "main"],
  ["next", "anchor"],
  ["main", "outer"],
);

/** Changes that a transformation may make to the arguments. */
const injected = fc.constantFrom(
  { "sourceConfig.installCommand": "injected" },
  // In the dynamic form, a transformation can add a secret only to the argument `secrets`: see "Transforms" in
  // SECURITY.md.
  ...(isPlugin ? [{ "sourceConfig.buildCommand": { $secret: SECRET_COMMAND } }] : []),
  { "secrets.INJECTED": { $secret: "canary-injected" } },
  { "rollout.timeoutSeconds": 700 },
);

const withForcing = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: forcing });
/**
 * The options that a resource may declare. The dynamic form refuses options that force a replacement, unless a
 * transformation sets them.
 */
const declared = isPlugin ? withForcing : plain;

const transformed = fc
  .tuple(fc.constantFrom<Role>("main", "next"), withForcing, fc.option(injected))
  .map(([of, options, args]) => ({ of, options, ...(args === null ? {} : { args }) }));

/** Changes one option of one resource, or the transformations that set options of other resources. */
export const optionEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(often, declared).map(
      ([role, options]): Edit =>
        (slot) =>
          edited(slot, role, (each) => withOptions(each, options)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(together, fc.constantFrom<"deletedWith" | "replaceWith">("deletedWith", ...FOLLOWING))
      .map(
        ([[role, other], option]): Edit =>
          (slot) =>
            // A child of the component that `replaceWith` names would wait for itself: the SDK waits for all children.
            slot[other] === undefined || (option === "replaceWith" && other === "outer")
              ? slot
              : changed(slot, role, (each) => withOptions(each, { [option]: other })),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(transformed, fc.constantFrom("own", "parent", "stack", "none")).map(transforming),
  },
);

/** Sets an option that makes the engine replace the resource. */
export const forcingEdit: fc.Arbitrary<Edit> = isPlugin
  ? fc.tuple(fc.constantFrom<Role>("main", "next", "listener"), forcing).map(
      ([role, options]) =>
        (slot) =>
          edited(slot, role, (each) => withOptions(each, options)),
    )
  : fc
      .tuple(fc.constantFrom<Role>("main", "next"), forcing, fc.constantFrom("own", "parent", "stack"))
      .map(([of, options, from]) => transforming([{ of, options }, from]));

/**
 * Drops the options that would make the engine replace the resource on every later change. The option
 * `replacementTrigger` stays, because it acts only when its value changes.
 */
export function unforced({ options, onStack, ...declared }: Declared): Declared {
  const { replaceOnChanges: _paths, replaceWith: _other, transformations, ...lasting } = options;
  const calm = (each: Transformation): Transformation => {
    const { replaceOnChanges: _theirs, ...others } = each.options ?? {};
    return { ...each, options: others };
  };
  return {
    ...declared,
    options: { ...lasting, ...(transformations && { transformations: transformations.map(calm) }) },
    ...(onStack && { onStack: onStack.map(calm) }),
  };
}

type Drawn = Omit<Transformation, "of"> & { readonly of: Role };

function transforming([{ of, ...drawn }, from]: [Drawn, string]): Edit {
  return (slot) => {
    const name = slot[of]?.name;
    if (name === undefined) return slot;
    const list: Transformation[] = from === "none" ? [] : [{ ...drawn, of: name }];
    const holder: Role = from === "parent" ? (slot[of]?.options.parent ?? of) : of;
    return changed(slot, holder, (each) =>
      from === "stack"
        ? { ...each, onStack: list }
        : withOptions({ ...each, onStack: [] }, { transformations: list }),
    );
  };
}
