/** The profiles by name, and what a configuration overrides in them. */
import type { z as Zod } from "zod";
import { FILTERS, type FilterQueryChanges, filterQuery } from "../fields/filters";
import type { ChangeClass } from "../fields/kind";
import { suggestion } from "../fields/nearest";
import { valueAt } from "../fields/value";
import { contract } from "./contract";
import { langsmith } from "./langsmith";
import type { Capabilities, Profile } from "./profile";

export type { Capabilities, Profile } from "./profile";

const profiles = { contract, langsmith };
export type ProfileName = keyof typeof profiles;
export const PROFILES: { readonly [name: string]: Profile } = profiles;

const CLASSES = ["replace", "newRevision", "mayRevise", "inPlace"] as const satisfies readonly ChangeClass[];
const capabilityNames = Object.keys(contract.capabilities) as [keyof Capabilities, ...(keyof Capabilities)[]];

const LONGEST_SHOWN = 80;

/** What the contract leaves open and a configuration may settle. Loaded with the first overrides: most runs have none. */
function overridesSchema() {
  const { z } = require("zod") as typeof import("zod");
  const filterNames = (filters: object) => z.enum(Object.keys(filters) as [string, ...string[]]);
  return z
    .strictObject({
      query: z
        .strictObject({
          deployments: z.partialRecord(filterNames(FILTERS.deployments), z.string().min(1)),
          revisions: z.partialRecord(filterNames(FILTERS.revisions), z.string().min(1)),
        })
        .partial(),
      wire: z.record(z.string(), z.string().min(1)),
      classes: z.record(z.string(), z.enum(CLASSES)),
      capabilities: z.partialRecord(z.enum(capabilityNames), z.boolean()),
    })
    .partial();
}

/** What a configuration may say otherwise than the profile. Written out: who uses the package need not read zod's types. */
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

/** The profile of that name with the overrides laid over it. Throws an Error whose message says what is wrong where. */
export function profileNamed(name: string, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) {
    throw new Error(`profile: got ${JSON.stringify(name)}; allowed: ${Object.keys(PROFILES).join(", ")}`);
  }
  return overrides === undefined ? profile : overridden(profile, parseOverrides(overrides, knownPaths));
}

/** A profile in as few words as it takes to know its change classes again: its name, with what differs from it. */
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

function parseOverrides(overrides: unknown, knownPaths: ReadonlySet<string>): ProfileOverrides {
  const parsed = overridesSchema().safeParse(overrides);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as Zod.core.$ZodIssue;
    throw new Error(`profileOverrides${wordsOf(issue, overrides)}`);
  }
  for (const section of ["wire", "classes"] as const) {
    const stranger = Object.keys(parsed.data[section] ?? {}).find((path) => !knownPaths.has(path));
    if (stranger !== undefined) {
      throw new Error(
        `profileOverrides.${section}: "${stranger}" is not a field; give a path such as sourceConfig.resourceSpec`,
      );
    }
  }
  return parsed.data;
}

/** Where, what was given and what is allowed; zod's own texts are written for programmers. */
function wordsOf(issue: Zod.core.$ZodIssue, overrides: unknown): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") return strangerWords([...path, issue.keys[0] as string]);
  if (issue.code === "invalid_key") return strangerWords(path);
  const words = issue.code === "invalid_value" ? issue.values.join(", ") : allowedAt(path);
  return `${placeOf(path)}: got ${shown(valueAt(overrides, path))}; allowed: ${words}`;
}

function strangerWords(path: readonly string[]): string {
  const names = namesAt(path.slice(0, -1));
  return `${placeOf(path)}: is not a setting; ${suggestion(path.at(-1) as string, names)}`;
}

const placeOf = (path: readonly string[]): string => ["", ...path].join(".");

function shown(value: unknown): string {
  const words = JSON.stringify(value);
  return words.length > LONGEST_SHOWN ? `${words.slice(0, LONGEST_SHOWN)}…` : words;
}

/** The names of the members at the place. */
function namesAt([section, list]: readonly string[]): readonly string[] {
  if (section === undefined) return Object.keys(overridesSchema().shape);
  if (section === "capabilities") return capabilityNames;
  return Object.keys(list === undefined ? FILTERS : FILTERS[list as keyof typeof FILTERS]);
}

/** What the value at the place may be. */
function allowedAt(path: readonly string[]): string {
  const [section] = path;
  if (section === "capabilities" && path.length === 2) return "true or false";
  if (path.length === (section === "query" ? 3 : 2)) return "a text that is not empty";
  return "a JSON object";
}

function overridden(profile: Profile, overrides: ProfileOverrides): Profile {
  return {
    ...profile,
    wire: { ...profile.wire, ...overrides.wire },
    classes: { ...profile.classes, ...overrides.classes },
    query: filterQuery(overrides.query, profile.query),
    capabilities: {
      ...profile.capabilities,
      ...(overrides.capabilities as Partial<Capabilities> | undefined),
    },
  };
}
