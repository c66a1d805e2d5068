/** The profiles by name, and what a configuration overrides in them. */
import { FILTERS, type FilterQueryChanges, filterQuery } from "../fields/filters";
import type { ChangeClass } from "../fields/kind";
import { PlacedError } from "../fields/placed";
import { isProperties } from "../fields/value";
import { suggestion } from "../fields/words";
import { langsmith } from "./langsmith";
import { type Capabilities, contract, type Profile } from "./profile";

export type { Capabilities, Profile } from "./profile";

const profiles = { contract, langsmith };
export type ProfileName = keyof typeof profiles;
export const PROFILES: { readonly [name: string]: Profile } = profiles;

/** The profile of that name with the overrides laid over it. Throws a PlacedError. */
export function profileNamed(name: string, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) {
    throw new PlacedError(
      `got ${JSON.stringify(name)}; allowed: ${Object.keys(PROFILES).join(", ")}`,
      "profile",
    );
  }
  return overrides === undefined ? profile : overridden(profile, overrides, knownPaths);
}

/** The least that tells a profile's change classes: its name, with what differs from it. */
export type ProfileInUse =
  | string
  | {
      readonly name: string;
      readonly classes?: Profile["classes"];
      readonly capabilities?: Partial<Capabilities>;
    };

/** Undefined for the plain default, unless the stack's configuration `isNamed` one, perhaps another. */
export function profileInUse(profile: Profile, isNamed: boolean): ProfileInUse | undefined {
  const plain = PROFILES[profile.name] as Profile;
  const classes = differing(profile.classes, plain.classes) as Profile["classes"] | undefined;
  const capabilities = differing(profile.capabilities, plain.capabilities);
  if (classes !== undefined || capabilities !== undefined) {
    return { name: profile.name, ...(classes && { classes }), ...(capabilities && { capabilities }) };
  }
  return profile.name === contract.name && !isNamed ? undefined : profile.name;
}

function differing<T extends object>(values: T, plain: T): Partial<T> | undefined {
  const found = Object.entries(values).filter(([name, value]) => plain[name as keyof T] !== value);
  return found.length > 0 ? (Object.fromEntries(found) as Partial<T>) : undefined;
}

export interface ProfileOverrides {
  /** Names of the lists' query parameters, by filter. */
  query?: FilterQueryChanges;
  /** Names of fields on the wire, by path such as `sourceRevisionConfig.graphConfigPath`. */
  wire?: { [path: string]: string };
  /** Change classes, by path such as `sourceConfig.resourceSpec`. */
  classes?: { [path: string]: ChangeClass };
  /** What the service can do. */
  capabilities?: { [capability in keyof Capabilities]?: boolean | undefined };
}

const CLASSES = ["replace", "newRevision", "mayRevise", "inPlace"] as const satisfies readonly ChangeClass[];
const LONGEST_SHOWN = 80;

/** A value in words, an object of known members, or one of members with any names. */
type Shape =
  | { readonly allowed: string; readonly fits: (value: unknown) => boolean }
  | { readonly members: { readonly [name: string]: Shape } }
  | { readonly each: Shape };

const eachOf = (names: object, shape: Shape): Shape => ({
  members: Object.fromEntries(Object.keys(names).map((name) => [name, shape])),
});
const wireName: Shape = {
  allowed: "a text that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};
const flag: Shape = { allowed: "true or false", fits: (value) => typeof value === "boolean" };
const changeClass: Shape = {
  allowed: CLASSES.join(", "),
  fits: (value) => CLASSES.some((each) => each === value),
};
const overridesShape: Shape = {
  members: {
    query: {
      members: {
        deployments: eachOf(FILTERS.deployments, wireName),
        revisions: eachOf(FILTERS.revisions, wireName),
      },
    },
    wire: { each: wireName },
    classes: { each: changeClass },
    capabilities: eachOf(contract.capabilities, flag),
  },
};

/** Throws a PlacedError. What is undefined is not given. */
function refuseUnfit(shape: Shape, value: unknown, place: string): void {
  if (value === undefined || ("fits" in shape && shape.fits(value))) return;
  if ("fits" in shape || !isProperties(value)) {
    const allowed = "fits" in shape ? shape.allowed : "a JSON object";
    throw new PlacedError(`got ${shown(value)}; allowed: ${allowed}`, place);
  }
  for (const [name, member] of Object.entries(value)) {
    if ("members" in shape && !Object.hasOwn(shape.members, name))
      throw new PlacedError(
        `is not a setting; ${suggestion(name, Object.keys(shape.members))}`,
        `${place}.${name}`,
      );
    refuseUnfit("each" in shape ? shape.each : (shape.members[name] as Shape), member, `${place}.${name}`);
  }
}

function shown(value: unknown): string {
  const words = JSON.stringify(value);
  return words.length > LONGEST_SHOWN ? `${words.slice(0, LONGEST_SHOWN)}…` : words;
}

/** The profile with the overrides in its places. Throws a PlacedError. */
export function overridden(profile: Profile, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  refuseUnfit(overridesShape, overrides, "profileOverrides");
  const { query, wire, classes, capabilities } = overrides as ProfileOverrides;
  for (const [section, paths] of Object.entries({ wire, classes })) {
    const unknown = Object.keys(paths ?? {}).find((path) => !knownPaths.has(path));
    if (unknown !== undefined) {
      throw new PlacedError(
        `"${unknown}" is not a field; give a path such as sourceConfig.resourceSpec`,
        `profileOverrides.${section}`,
      );
    }
  }
  return {
    ...profile,
    wire: { ...profile.wire, ...given(wire) },
    classes: { ...profile.classes, ...given(classes) },
    query: filterQuery(query, profile.query),
    capabilities: { ...profile.capabilities, ...given(capabilities) },
  };
}

function given<T extends object>(members: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
