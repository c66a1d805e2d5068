/** The profiles by name, and the configuration's overrides. */
import { faultsIn, SETTINGS } from "../schema/check";
import { type FilterQueryChanges, filterQuery } from "../schema/filters";
import {
  boolean,
  CHANGE_CLASSES,
  type ChangeClass,
  choice,
  computed,
  type Field,
  type Kind,
  mapOf,
  nonEmptyText,
  object,
  type Rows,
} from "../schema/kind";
import { entryNamed, type Properties, valueAt } from "../schema/value";
import { join, wireName } from "../schema/wire";
import { didYouMean, PlacedError } from "../schema/words";
import { langsmith } from "./langsmith";
import { type Capabilities, contract, type Profile, withoutCreateRevision } from "./profile";

export { type Capabilities, type Profile, withoutCreateRevision } from "./profile";

const profiles = { contract, langsmith };
export type ProfileName = keyof typeof profiles;
export const PROFILES: { readonly [name: string]: Profile } = profiles;

/** Throws a PlacedError if the overrides do not fit the tables. */
export function profileNamed(name: string, overrides: unknown, tables: readonly Rows[]): Profile {
  const profile = entryNamed(PROFILES, name);
  if (profile === undefined) {
    const names = Object.keys(PROFILES);
    const words = `got ${JSON.stringify(name)}; allowed: ${names.join(", ")}${didYouMean(name, names)}`;
    throw new PlacedError(words, "profile");
  }
  return overrides === undefined ? profile : overridden(profile, overrides, tables);
}

/** A profile's name, and the overrides that differ from that profile. */
export type ProfileInUse =
  | string
  | {
      readonly name: string;
      readonly classes?: Profile["classes"];
      readonly capabilities?: Partial<Capabilities>;
    };

/** The name of the profile in use, and the classes and capabilities that overrides have changed. */
export function profileInUse(profile: Profile): ProfileInUse {
  const base = PROFILES[profile.name] as Profile;
  const classes = differing(profile.classes, base.classes) as Profile["classes"] | undefined;
  const capabilities = differing(profile.capabilities, base.capabilities);
  if (classes !== undefined || capabilities !== undefined) {
    return { name: profile.name, ...(classes && { classes }), ...(capabilities && { capabilities }) };
  }
  return profile.name;
}

function differing<T extends object>(values: T, base: T): Partial<T> | undefined {
  const entries = Object.entries(values).filter(([name, value]) => base[name as keyof T] !== value);
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}

export interface ProfileOverrides {
  /** Names of the lists' query parameters, by filter. */
  query?: FilterQueryChanges;
  /** Names of fields on the wire, by path. A path is, for example, `sourceRevisionConfig.graphConfigPath`. */
  wire?: { [path: string]: string };
  /** Change classes, by path. A path is, for example, `sourceConfig.resourceSpec`. */
  classes?: { [path: string]: ChangeClass };
  /** Abilities of the service. */
  capabilities?: { [capability in keyof Capabilities]?: boolean | undefined };
}

const eachOf = (names: object, kind: Kind<unknown>) =>
  object(Object.fromEntries(Object.keys(names).map((name) => [name, computed(kind)])));
const overrideRows = {
  query: computed(
    object({
      deployments: computed(eachOf(contract.query.deployments, nonEmptyText)),
      revisions: computed(eachOf(contract.query.revisions, nonEmptyText)),
    }),
  ),
  wire: computed(mapOf(nonEmptyText)),
  classes: computed(mapOf(choice(...CHANGE_CLASSES))),
  capabilities: computed(eachOf(contract.capabilities, boolean)),
};

/** Checks the field paths of the overrides if `tables` is not empty. Throws a PlacedError for a wrong override. */
function overridden(profile: Profile, overrides: unknown, tables: readonly Rows[]): Profile {
  const [fault] = faultsIn(overrideRows, overrides, () => false, SETTINGS);
  if (fault) throw new PlacedError(fault.words, ["profileOverrides", ...fault.path].join("."));
  const { query, wire, classes, capabilities } = overrides as ProfileOverrides;
  const base = capabilities?.createRevision === false ? withoutCreateRevision(profile) : profile;
  const overriddenProfile = {
    ...base,
    wire: { ...profile.wire, ...defined(wire) },
    classes: { ...base.classes, ...defined(classes) },
    ofRevisionCall: Object.fromEntries(
      Object.entries(profile.ofRevisionCall).map(([path, older]) => [path, classes?.[path] ?? older]),
    ),
    query: filterQuery(query, profile.query),
    capabilities: { ...profile.capabilities, ...defined(capabilities) },
  };
  if (tables.length > 0) {
    const fields = new Map(tables.flatMap((rows) => fieldsIn(rows)));
    for (const [section, paths] of Object.entries({ wire, classes }))
      for (const path of Object.keys(paths ?? {})) refuseField(section, path, fields);
    for (const rows of tables) refuseSharedNames(rows, overriddenProfile);
  }
  return overriddenProfile;
}

function fieldsIn(rows: Rows, prefix = ""): [path: string, field: Field<unknown>][] {
  return Object.entries(rows).flatMap(([name, field]) => [
    [`${prefix}${name}`, field] as [string, Field<unknown>],
    ...(field.kind.type === "object" ? fieldsIn(field.kind.rows, `${prefix}${name}.`) : []),
  ]);
}

/** Refuses a wire name for a field that is never sent, and a class for a field that no update can send. */
function refuseField(section: string, path: string, fields: ReadonlyMap<string, Field<unknown>>): void {
  const place = `profileOverrides.${section}`;
  if (!fields.has(path))
    throw new PlacedError(`"${path}" is not a field; set a path such as sourceConfig.resourceSpec`, place);
  const { wire, class: rowClass, beside } = fields.get(path.split(".")[0] as string) as Field<unknown>;
  const goesWith = section === "wire" ? beside : undefined;
  if (goesWith === undefined && wire !== undefined && (section === "wire" || rowClass !== "replace")) return;
  const why =
    goesWith !== undefined
      ? `it goes into the list of ${goesWith}`
      : wire === undefined
        ? "no request sends it"
        : "no update can send it";
  throw new PlacedError(`"${path}" cannot be overridden: ${why}`, place);
}

/** Refuses two fields with the same wire name, because they would overwrite each other in a request. */
function refuseSharedNames(rows: Rows, spelling: Profile, path = ""): void {
  const paths = new Map<string, string>();
  for (const [name, field] of Object.entries(rows)) {
    if (field.wire === undefined || field.beside !== undefined) continue;
    const place = join(path, name);
    const onWire = wireName(field, place, spelling);
    const otherPath = paths.get(onWire);
    if (otherPath !== undefined)
      throw new PlacedError(
        `"${otherPath}" and "${place}" are both "${onWire}" on the wire; set a different name for each`,
        "profileOverrides.wire",
      );
    paths.set(onWire, place);
    if (field.kind.type === "object") refuseSharedNames(field.kind.rows, spelling, place);
  }
}

function defined<T extends object>(members: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** The name of a different profile that fits the base URL; undefined if none fits. */
export const fittingProfile = (baseUrl: string, { name }: Profile): string | undefined =>
  Object.values(PROFILES).find(
    (each) => each.name !== name && each.installations.some(({ address }) => address.test(baseUrl)),
  )?.name;

/** The profile of the only service that could have returned this deployment, unless that profile is already in use. */
export function profileAnswering(deployment: Properties, { name }: Profile): string | undefined {
  return Object.values(PROFILES).find(
    (each) =>
      each.name !== name &&
      each.answersWith !== undefined &&
      valueAt(deployment, each.answersWith.split(".")) !== undefined,
  )?.name;
}
