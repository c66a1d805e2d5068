/**
 * What the journal keeps of values that it must not hold: MACs under the connection's own key. Who has that key can tell
 * whether a value is still the one that was sent, and could read or overwrite it anyway; the journal alone tells nothing.
 */
import { createHmac, randomUUID } from "node:crypto";
import { isProperties, type Properties } from "../fields/value";

export interface Macs {
  /** Drawn for each entry, so that nobody sees that two entries hold the same value. */
  readonly salt: string;
  /** The arguments' shape, with a MAC in the place of each value. */
  readonly of: Properties;
}

/** Undefined where there is no key, or nothing to keep. */
export function macsOf(values: Properties, key: string | undefined): Macs | undefined {
  if (key === undefined || Object.keys(values).length === 0) return undefined;
  const salt = randomUUID();
  const of = (members: Properties, path: readonly string[]): Properties =>
    mapped(members, (value, name) =>
      isProperties(value) ? of(value, [...path, name]) : macOf(key, salt, [...path, name], value),
    );
  return { salt, of: of(values, []) };
}

/** Those of the values that are what was sent, by their MACs. */
export function provenValues(
  macs: Macs | undefined,
  values: Properties,
  key: string | undefined,
): Properties {
  if (macs === undefined || key === undefined) return {};
  const proven = (kept: Properties, given: Properties, path: readonly string[]): Properties =>
    mapped(kept, (mac, name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (isProperties(mac)) return proven(mac, isProperties(value) ? value : {}, [...path, name]);
      return macOf(key, macs.salt, [...path, name], value) === mac ? value : undefined;
    });
  return proven(macs.of, values, []);
}

/** Whether that is what an entry may hold. */
export function areMacs(value: unknown): boolean {
  return value === undefined || (isProperties(value) && typeof value.salt === "string" && isTree(value.of));
}

function isTree(value: unknown): boolean {
  return (
    isProperties(value) && Object.values(value).every((each) => typeof each === "string" || isTree(each))
  );
}

function macOf(key: string, salt: string, path: readonly string[], value: unknown): string {
  const text = JSON.stringify(["deployment-control journal", salt, path, sorted(value)]);
  return createHmac("sha256", key).update(text).digest("base64");
}

/** The engine does not keep the order of names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isProperties(value)) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name])]);
}

/** Members that become undefined are left out. */
function mapped(members: Properties, map: (value: unknown, name: string) => unknown): Properties {
  const entries = Object.entries(members).map(([name, value]) => [name, map(value, name)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
