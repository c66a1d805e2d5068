/** The profiles by name, and the configuration's overrides. */
import { faultsIn, SETTINGS } from "../fields/check";
import { FILTERS, type FilterQueryChanges, filterQuery } from "../fields/filters";
import {
  boolean,
  type ChangeClass,
  choice,
  computed,
  type Kind,
  mapOf,
  nonEmptyText,
  object,
} from "../fields/kind";
import { PlacedError } from "../fields/words";
import { langsmith } from "./langsmith";
import { type Capabilities, contract, type Profile } from "./profile";

export type { Capabilities, Profile } from "./profile";

const profiles = { contract, langsmith };
export type ProfileName = keyof typeof profiles;
export const PROFILES: { readonly [name: string]: Profile } = profiles;

/** The profile of that name, with the overrides. Throws a PlacedError. */
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

/** The least that identifies a profile's change classes: its name, and its differences from that profile. */
export type ProfileInUse =
  | string
  | {
      readonly name: string;
      readonly classes?: Profile["classes"];
      readonly capabilities?: Partial<Capabilities>;
    };

/** Undefined for the unchanged default profile, unless the stack's configuration `isNamed` names one, perhaps another. */
export function profileInUse(profile: Profile, isNamed: boolean): ProfileInUse | undefined {
  const base = PROFILES[profile.name] as Profile;
  const classes = differing(profile.classes, base.classes) as Profile["classes"] | undefined;
  const capabilities = differing(profile.capabilities, base.capabilities);
  if (classes !== undefined || capabilities !== undefined) {
    return { name: profile.name, ...(classes && { classes }), ...(capabilities && { capabilities }) };
  }
  return profile.name === contract.name && !isNamed ? undefined : profile.name;
}

function differing<T extends object>(values: T, base: T): Partial<T> | undefined {
  const entries = Object.entries(values).filter(([name, value]) => base[name as keyof T] !== value);
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}

export interface ProfileOverrides {
  /** Names of the lists' query parameters, by filter. */
  query?: FilterQueryChanges;
  /** Names of fields on the wire, by path such as `sourceRevisionConfig.graphConfigPath`. */
  wire?: { [path: string]: string };
  /** Change classes, by path such as `sourceConfig.resourceSpec`. */
  classes?: { [path: string]: ChangeClass };
  /** Abilities of the service. */
  capabilities?: { [capability in keyof Capabilities]?: boolean | undefined };
}

const CLASSES = ["replace", "newRevision", "mayRevise", "inPlace"] as const satisfies readonly ChangeClass[];

const eachOf = (names: object, kind: Kind<unknown>) =>
  object(Object.fromEntries(Object.keys(names).map((name) => [name, computed(kind)])));
const overrideRows = {
  query: computed(
    object({
      deployments: computed(eachOf(FILTERS.deployments, nonEmptyText)),
      revisions: computed(eachOf(FILTERS.revisions, nonEmptyText)),
    }),
  ),
  wire: computed(mapOf(nonEmptyText)),
  classes: computed(mapOf(choice(...CLASSES))),
  capabilities: computed(eachOf(contract.capabilities, boolean)),
};

/** The profile with the overrides applied. Throws a PlacedError. */
export function overridden(profile: Profile, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  const [fault] = faultsIn(overrideRows, overrides, () => false, SETTINGS);
  if (fault) throw new PlacedError(fault.words, ["profileOverrides", ...fault.path].join("."));
  const { query, wire, classes, capabilities } = overrides as ProfileOverrides;
  for (const [section, paths] of Object.entries({ wire, classes })) {
    const stray = Object.keys(paths ?? {}).find((path) => !knownPaths.has(path));
    if (stray !== undefined) {
      throw new PlacedError(
        `"${stray}" is not a field; give a path such as sourceConfig.resourceSpec`,
        `profileOverrides.${section}`,
      );
    }
  }
  return {
    ...profile,
    wire: { ...profile.wire, ...defined(wire) },
    classes: { ...profile.classes, ...defined(classes) },
    query: filterQuery(query, profile.query),
    capabilities: { ...profile.capabilities, ...defined(capabilities) },
  };
}

function defined<T extends object>(members: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
