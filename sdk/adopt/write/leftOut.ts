/**
 * Finds values that a program leaves out: fields that the tables do not know, and values that would not arrive
 * unchanged.
 */
import { deploymentOutputRows, deploymentRows } from "../../../provider/fields/deployment";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { isAbsent, isProperties, type Properties, UNKNOWN, valueAt } from "../../../provider/fields/value";
import { join, type Spelling, wireName } from "../../../provider/fields/wire";
import { ENGINE_MARK } from "../../../provider/host/marks";

/** A part of a deployment that the program does not declare. */
export interface LeftOut {
  /** Path of the argument, or of the service's own field. */
  readonly path: string;
  readonly why: string;
}

const UNKNOWN_HERE =
  "this version of the package does not know it; a later change of its section may remove it";

/**
 * The fields that the tables do not know, by their wire names. Only fields inside arguments count, because a service
 * may add outputs freely.
 */
export function unknownFieldsIn(wire: Properties, spelling: Spelling): LeftOut[] {
  const groups = Object.entries(deploymentRows).filter(([, field]) => "group" in field && field.group);
  const outputNames = Object.values(deploymentOutputRows).map((field) => field.wire);
  return groups.flatMap(([name, field]) => {
    const place = wireName(field, name, spelling);
    return within(field.kind, wire[place], place, name, spelling)
      .filter((path) => !outputNames.includes(path as never))
      .map((path) => ({ path, why: UNKNOWN_HERE }));
  });
}

function within(
  kind: Kind<unknown>,
  value: unknown,
  place: string,
  path: string,
  spelling: Spelling,
): string[] {
  if (kind.type === "list" && Array.isArray(value))
    return value.flatMap((element, index) => within(kind.of, element, `${place}.${index}`, path, spelling));
  if (kind.type !== "object" || !isProperties(value)) return [];
  const members = membersOf(kind.rows, path, spelling);
  return Object.keys(value).flatMap((name) => {
    const member = valueAt(value, [name]);
    const row = members.get(name);
    if (row === undefined) return isAbsent(member) ? [] : [`${place}.${name}`];
    return within(row.kind, member, `${place}.${name}`, row.path, spelling);
  });
}

const membersOf = (rows: Rows, path: string, spelling: Spelling) =>
  new Map(
    Object.entries(rows).map(([name, field]) => {
      const memberPath = join(path, name);
      return [wireName(field, memberPath, spelling), { kind: field.kind, path: memberPath }];
    }),
  );

/** Pulumi's SDK marks special values with entries of these names. */
const OF_PULUMI = /^__pulumi/;
/** Pulumi's SDK drops an entry with this name. */
const LOST = "__proto__";

/** Why a language cannot write an entry with that name; undefined if it can. */
export type RefusesKey = (name: string) => string | undefined;

/** Why the value cannot be written; undefined if it can. */
export function unwritable(value: unknown, refusesKey: RefusesKey): string | undefined {
  if (value === UNKNOWN) return "Pulumi takes this text for a value that is not known yet";
  if (typeof value === "string") return brokenText(value);
  if (Array.isArray(value)) return firstOf(value.map((element) => unwritable(element, refusesKey)));
  if (!isProperties(value)) return undefined;
  return firstOf(
    Object.entries(value).flatMap(([name, member]) => [
      unwritableKey(name, refusesKey),
      unwritable(member, refusesKey),
    ]),
  );
}

/** The same for the name of an entry. */
export function unwritableKey(name: string, refusesKey: RefusesKey): string | undefined {
  if (name === LOST) return `Pulumi drops an entry named ${LOST}`;
  if (name === ENGINE_MARK || OF_PULUMI.test(name))
    return "Pulumi takes an entry of this name for a mark of its own";
  return brokenText(name) ?? refusesKey(name);
}

const brokenText = (text: string): string | undefined =>
  /\p{Surrogate}/u.test(text)
    ? "it holds half a character, which no file and no request can carry"
    : undefined;

const firstOf = (reasons: readonly (string | undefined)[]): string | undefined =>
  reasons.find((reason) => reason !== undefined);
