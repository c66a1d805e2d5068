/** The profiles by name, and what a configuration overrides in them. */
import { z } from "zod";
import { contract } from "./contract";
import { langsmith } from "./langsmith";
import type { Capabilities, Profile } from "./profile";

export type { Capabilities, Profile } from "./profile";

export const PROFILES: { readonly [name: string]: Profile } = { contract, langsmith };

const changeClass = z.enum(["replace", "newRevision", "mayRevise", "inPlace"]);
const capabilityNames = Object.keys(contract.capabilities) as [keyof Capabilities, ...(keyof Capabilities)[]];
const filterNames = (filters: object) => z.enum(Object.keys(filters) as [string, ...string[]]);

/** What the contract leaves open and a configuration may settle. */
const overridesSchema = z
  .strictObject({
    query: z
      .strictObject({
        deployments: z.partialRecord(filterNames(contract.query.deployments), z.string().min(1)),
        revisions: z.partialRecord(filterNames(contract.query.revisions), z.string().min(1)),
      })
      .partial(),
    wire: z.record(z.string(), z.string().min(1)),
    classes: z.record(z.string(), changeClass),
    capabilities: z.partialRecord(z.enum(capabilityNames), z.boolean()),
  })
  .partial();

export type ProfileOverrides = z.infer<typeof overridesSchema>;

/** The profile of that name with the overrides laid over it. Throws an Error whose message says what is wrong where. */
export function profileNamed(name: string, overrides: unknown, knownPaths: ReadonlySet<string>): Profile {
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) {
    throw new Error(`profile: got ${JSON.stringify(name)}; allowed: ${Object.keys(PROFILES).join(", ")}`);
  }
  return overrides === undefined ? profile : overridden(profile, parseOverrides(overrides, knownPaths));
}

function parseOverrides(overrides: unknown, knownPaths: ReadonlySet<string>): ProfileOverrides {
  const parsed = overridesSchema.safeParse(overrides);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    throw new Error(`profileOverrides${wordsOf(issue)}`);
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
function wordsOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.map((part) => `.${String(part)}`).join("");
  if (issue.code === "unrecognized_keys") {
    return `${place}.${issue.keys[0]} is not a setting; allowed: ${allowedAt(issue.path)}`;
  }
  if (issue.code === "invalid_value") return `${place}: allowed: ${issue.values.join(", ")}`;
  if (issue.code === "invalid_key")
    return `${place} is not a setting; allowed: ${allowedAt(issue.path.slice(0, -1))}`;
  return `${place}: allowed: ${allowedAt(issue.path)}`;
}

function allowedAt(path: readonly PropertyKey[]): string {
  const [section, list] = path;
  if (section === "capabilities") return path.length > 1 ? "true or false" : capabilityNames.join(", ");
  if (section === "query" && path.length < 3) {
    const filters = list === undefined ? contract.query : contract.query[list as keyof typeof contract.query];
    return Object.keys(filters ?? contract.query).join(", ");
  }
  return section === undefined
    ? "an object with query, wire, classes, capabilities"
    : "a text that is not empty";
}

function overridden(profile: Profile, overrides: ProfileOverrides): Profile {
  return {
    ...profile,
    wire: { ...profile.wire, ...overrides.wire },
    classes: { ...profile.classes, ...overrides.classes },
    query: {
      deployments: { ...profile.query.deployments, ...(overrides.query?.deployments as object | undefined) },
      revisions: { ...profile.query.revisions, ...(overrides.query?.revisions as object | undefined) },
    },
    capabilities: {
      ...profile.capabilities,
      ...(overrides.capabilities as Partial<Capabilities> | undefined),
    },
  };
}
