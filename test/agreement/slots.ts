/**
 * A slot is an independent part of a program: its resources depend on no other slot, so a failure in one slot does not
 * affect the other slots.
 */
import type { Properties } from "../../provider/schema/value";
import { isPlugin, typeOf } from "../support/engine/form";
import type { ProfileName } from "./values";

/** The changes that a transformation makes to the arguments and options of the resource named `of`. */
export interface Transformation {
  readonly of: string;
  readonly options?: Options;
  readonly args?: Properties;
}

export interface Options {
  readonly retainOnDelete?: boolean;
  readonly protect?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly replaceOnChanges?: readonly string[];
  readonly replaceWith?: Role;
  readonly replacementTrigger?: string;
  readonly ignoreChanges?: readonly string[];
  readonly deletedWith?: Role;
  readonly provider?: Role;
  /** The arguments of the existing deployment that the option `import` takes into the state. */
  readonly import?: Properties;
  readonly parent?: Role;
  /** The former name, and the URN of the former parent; null if the former parent is the stack. */
  readonly aliases?: readonly { readonly name?: string; readonly parent?: string | null }[];
  readonly transformations?: readonly Transformation[];
}

export interface Declared {
  /** A resource of the kind `Get` reads a deployment that another resource manages. */
  readonly kind: "Deployment" | "Listener" | "Component" | "Stash" | "Get" | "Provider" | "Rollout";
  /** Name in the program. */
  readonly name: string;
  readonly args: Properties;
  readonly options: Options;
  /** The form of this deployment, if it differs from the form of the whole program. */
  readonly form?: "dynamic" | "plugin";
  /** The transformations of this resource that the program registers on the stack. */
  readonly onStack?: readonly Transformation[];
}

/**
 * The roles. Each role comes before the roles that refer to it. `elsewhere`: a provider for the second service.
 * `anchor`: a resource that the option `deletedWith` names. `inner` is a child of `outer`. `next` may have an output of
 * `main` as an argument. `reader` reads `main`; `rollout` waits for `main` and `next`.
 */
export const ROLES = [
  "provider",
  "elsewhere",
  "anchor",
  "outer",
  "inner",
  "listener",
  "main",
  "next",
  "reader",
  "rollout",
] as const;
export type Role = (typeof ROLES)[number];
export type Slot = { readonly [role in Role]?: Declared };

/** Returns the slot as the program declares it in the next update. */
export type Edit = (slot: Slot) => Slot;

/** The slot after a change to the resource with that role, or to the resource `main` if the slot has no such role. */
export function edited(slot: Slot, role: Role, change: (declared: Declared) => Declared): Slot {
  return changed(slot, slot[role] === undefined ? "main" : role, change);
}

/**
 * Changes the resource with this role, and returns the new slot; returns the same slot if no resource has this role.
 */
export function changed(slot: Slot, role: Role, change: (declared: Declared) => Declared): Slot {
  const declared = slot[role];
  return declared === undefined ? slot : { ...slot, [role]: change(declared) };
}

export function without(slot: Slot, ...roles: readonly Role[]): Slot {
  return Object.fromEntries(Object.entries(slot).filter(([role]) => !roles.includes(role as Role)));
}

export const withOptions = (declared: Declared, options: Options): Declared => ({
  ...declared,
  options: { ...declared.options, ...options },
});

/** Whether the slot's deployments run an image; otherwise they are built from a repository. */
export const isFromImage = (index: number): boolean => index % 2 === 0;

const SHAPES = [
  "plain",
  isPlugin ? "with a provider" : "plain",
  "grouped",
  "chained",
  "on a listener",
  "grouped",
  "anchored",
  "rolled out",
  isPlugin ? "with two providers" : "plain",
  "chained",
  "rolled out",
  isPlugin ? "with two providers" : "chained",
] as const;

const shapeOf = (index: number) => SHAPES[index % SHAPES.length];

/** Whether the slot declares an explicit provider for the deployments. */
export const hasProvider = (index: number): boolean => /provider/.test(shapeOf(index) as string);

export const hasListener = (index: number): boolean => shapeOf(index) === "on a listener";

/** The slot with this number, as the program first declares it. */
export function firstSlot(index: number, profile: ProfileName): Slot {
  const main = deployment(index, "main");
  switch (shapeOf(index)) {
    case "grouped":
      return {
        outer: group(`outer-${index}`),
        inner: { ...group(`inner-${index}`), options: { parent: "outer" } },
        main: withOptions(main, { parent: "inner" }),
        next: withOptions(deployment(index, "next"), { parent: "outer" }),
      };
    case "chained":
      return { main, next: deployment(index, "next"), reader: readerOf(index) };
    case "anchored":
      return { anchor: { kind: "Stash", name: `anchor-${index}`, args: { input: "a" }, options: {} }, main };
    case "with a provider":
      return placed({ provider: provider("provider", index), main, next: deployment(index, "next") });
    case "with two providers":
      return placed({
        provider: provider("provider", index),
        elsewhere: provider("elsewhere", index, { baseUrl: { $env: "ELSEWHERE" }, profile }),
        main,
        next: deployment(index, "next"),
      });
    case "rolled out":
      return placed({
        main,
        next: deployment(index, "next"),
        rollout: { kind: "Rollout", name: `rollout-${index}`, args: {}, options: {} },
      });
    case "on a listener":
      return onListener(index, profile);
    default:
      return { main };
  }
}

const provider = (role: Role, index: number, args: Properties = {}): Declared => ({
  kind: "Provider",
  name: `${role}-${index}`,
  args: { requestTimeoutSeconds: 20, ...args },
  options: {},
});

/** Gives each deployment its provider. If the slot has a rollout, only the rollout waits, not the deployments. */
export function placed(slot: Slot): Slot {
  const withProvider = (declared: Declared, other: Role): Declared => {
    const at = slot[other] ? other : slot.provider && "provider";
    const args = slot.rollout ? { ...declared.args, rollout: { wait: false } } : declared.args;
    return withOptions({ ...declared, args }, at ? { provider: at } : {});
  };
  const main = changed(slot, "main", (each) => withProvider(each, "provider"));
  return changed(main, "next", (each) => withProvider(each, "elsewhere"));
}

function onListener(index: number, profile: ProfileName): Slot {
  const args = { computeType: "k8s", computeId: `cluster-${index}`, computeConfig: { k8sNamespaces: ["a"] } };
  const listener: Declared = {
    kind: "Listener",
    name: `listener-${index}`,
    args: profile === "langsmith" ? { ...args, onDestroy: "delete" } : args,
    options: {},
  };
  const on = (declared: Declared): Declared => ({
    ...declared,
    args: { ...declared.args, sourceConfig: { listenerId: { $from: ["listener", "id"] } } },
  });
  return { listener, main: on(deployment(index, "main")), next: on(deployment(index, "next")) };
}

export const group = (name: string): Declared => ({ kind: "Component", name, args: {}, options: {} });

/** A resource that reads the deployment `main`. */
export const readerOf = (index: number): Declared => ({
  kind: "Get",
  name: `reader-${index}`,
  args: { id: { $from: ["main", "id"] } },
  options: {},
});

/** A deployment whose name on the service is unique. */
export function deployment(index: number, role: Role, suffix = ""): Declared {
  const common = {
    name: `agents-${index}-${role}${suffix}`,
    secrets: { KEY: "canary-first-value", TOKEN: "canary-second-value" },
  };
  const args = isFromImage(index)
    ? {
        ...common,
        source: "external_docker",
        sourceConfig: { resourceSpec: { minScale: 1 } },
        sourceRevisionConfig: { imageUri: "first" },
      }
    : {
        ...common,
        source: "repohost",
        sourceConfig: {
          integrationId: "6b1de0a2-58a3-4a53-8a06-0c5a4a1f9d10",
          repoUrl: "https://repohost.example/a",
        },
        sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
      };
  return { kind: "Deployment", name: `${role}-${index}${suffix}`, args, options: {} };
}

const TYPES = {
  Deployment: typeOf("Deployment"),
  Listener: typeOf("Listener"),
  Component: "agreement:index:Group",
  Stash: "pulumi:index:Stash",
  Get: typeOf("Deployment"),
  Rollout: typeOf("Rollout"),
  Provider: "pulumi:providers:deployment-control",
} as const;

/** The URN that the engine derives from the names of a resource and its parents. */
export function urnOf(slot: Slot, role: Role): string {
  const chain = (at: Role | undefined): string =>
    at === undefined || slot[at] === undefined
      ? ""
      : `${chain(slot[at].options.parent)}${TYPES[slot[at].kind]}$`;
  return `urn:pulumi:test::agreement::${chain(role).slice(0, -1)}::${slot[role]?.name}`;
}
