/** Generates changes to a program's shape: resources are added, removed, moved and renamed. */
import * as fc from "fast-check";
import {
  changed,
  type Declared,
  deployment,
  type Edit,
  group,
  type Options,
  placed,
  type Role,
  readerOf,
  type Slot,
  urnOf,
  withOptions,
  without,
} from "./slots";
import { word } from "./values";

type Shape = (slot: Slot, suffix: string, index: number) => Slot;

const SHAPES: { readonly [name: string]: Shape } = {
  rename: (slot, suffix, index) => renamed(slot, "main", `main-${index}${suffix}`),
  renameGroup: (slot, suffix, index) => renamed(slot, "outer", `outer-${index}${suffix}`),
  moveIn: (slot, suffix, index) =>
    slot.outer === undefined
      ? moved({ ...slot, outer: group(`outer-${index}${suffix}`) }, "main", "outer")
      : moved(slot, "main", slot.inner === undefined ? "outer" : "inner"),
  moveOut: (slot) => moved(slot, "main", undefined),
  dissolve: (slot) => without(moved(moved(slot, "main", undefined), "next", undefined), "outer", "inner"),
  remove: (slot) => gone(slot, "main", "next"),
  removeNext: (slot) => gone(slot, "next"),
  removeWithAnchor: (slot) => gone(slot, "main", "next", "anchor"),
  removeAnchor: (slot) => gone(slot, "anchor"),
  read: (slot: Slot, _suffix: string, index: number) =>
    slot.main === undefined ? slot : { ...slot, reader: readerOf(index) },
  readNoMore: (slot) => without(slot, "reader"),
  removeGroup: (slot) => gone(slot, "main", "next", "outer", "inner"),
  removeAll: (slot) => gone(slot, "main", "next", "listener"),
  renameAlone: (slot: Slot, suffix: string, index: number) =>
    changed(slot, "main", (each) => ({ ...each, name: `main-${index}${suffix}` })),
  oneName: (slot: Slot) =>
    changed(slot, "next", (each) => ({
      ...each,
      args: { ...each.args, name: slot.main?.args.name ?? each.args.name },
    })),
  again: (slot, suffix, index) => ({
    ...slot,
    main: slot.main ?? fresh(slot, "main", suffix, index),
    next: slot.next ?? fresh(slot, "next", suffix, index),
  }),
};

export const shapeEdit = (index: number): fc.Arbitrary<Edit> =>
  fc.tuple(fc.constantFrom(...Object.values(SHAPES), SHAPES.again as Shape), word).map(
    ([shape, suffix]) =>
      (slot) =>
        shape(slot, `-${suffix}`, index),
  );

/**
 * Imports an existing deployment into the state. The later edits of the same update may change the arguments that the
 * program declares for the deployment.
 */
export const importEdit = (index: number): fc.Arbitrary<Edit> =>
  word.map((suffix) => (slot) => {
    const next = fresh(slot, "next", `-${suffix}`, index);
    return { ...slot, next: withOptions(next, { import: next.args }) };
  });

/** A new deployment with this role and the slot's provider. If the slot has a rollout, only the rollout waits. */
const fresh = (slot: Slot, role: "main" | "next", suffix: string, index: number): Declared =>
  placed({ ...slot, [role]: deployment(index, role, suffix) })[role] as Declared;

function renamed(slot: Slot, role: Role, name: string): Slot {
  return changed(slot, role, (each) =>
    withOptions({ ...each, name }, { aliases: [{ ...each.options.aliases?.[0], name: each.name }] }),
  );
}

/** Moves the resource to a new parent or to the top level, and adds an alias with the former parent. */
function moved(slot: Slot, role: Role, parent: Role | undefined): Slot {
  const before = slot[role]?.options.parent;
  if (before === parent) return slot;
  return changed(slot, role, (each) => {
    const { parent: _before, aliases, ...others } = each.options;
    const alias = { ...aliases?.[0], parent: before === undefined ? null : urnOf(slot, before) };
    const options: Options = { ...others, aliases: [alias], ...(parent === undefined ? {} : { parent }) };
    return { ...each, options };
  });
}

/** Removes these resources, and the references to them in other resources. */
function gone(slot: Slot, ...removed: readonly Role[]): Slot {
  const roles: readonly Role[] = removed.includes("main") ? [...removed, "reader"] : removed;
  const remaining = Object.entries(without(slot, ...roles)).map(([role, each]) => [role, freed(each, roles)]);
  const slotLeft: Slot = Object.fromEntries(remaining);
  return slotLeft.main || slotLeft.next ? slotLeft : without(slotLeft, "rollout");
}

function freed(each: Declared, roles: readonly Role[]): Declared {
  const { deletedWith, replaceWith, parent, ...others } = each.options;
  const isLeft = (role: Role | undefined) => role !== undefined && !roles.includes(role);
  return {
    ...each,
    args: withoutOutputsOf(each.args, roles) as Declared["args"],
    options: {
      ...others,
      ...(isLeft(deletedWith) && { deletedWith }),
      ...(isLeft(replaceWith) && { replaceWith }),
      ...(isLeft(parent) && { parent }),
    } as Options,
  };
}

function withoutOutputsOf(value: unknown, roles: readonly Role[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if ("$from" in value) {
    const [role] = value.$from as [Role];
    return roles.includes(role) ? ("as" in value ? value.as : undefined) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutOutputsOf(member, roles)]),
  );
}
