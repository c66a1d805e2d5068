/** The profiles by name, and what a configuration overrides in them. */
import { contract } from "./contract";
import { langsmith } from "./langsmith";
import { overridden } from "./overrides";
import type { Capabilities, Profile } from "./profile";

export type { ProfileOverrides } from "./overrides";
export type { Capabilities, Profile } from "./profile";

const profiles = { contract, langsmith };
export type ProfileName = keyof typeof profiles;
export const PROFILES: { readonly [name: string]: Profile } = profiles;

/** The profile of that name with the overrides laid over it. Throws an Error whose message says what is wrong where. */
export function profileNamed(name: string, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) {
    throw new Error(`profile: got ${JSON.stringify(name)}; allowed: ${Object.keys(PROFILES).join(", ")}`);
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
