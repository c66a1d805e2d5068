/**
 * MACs of values that the journal must not store. The key is the connection's API key. Anyone who has the key can check
 * whether a given value was sent, but can also read or overwrite the value on the service. Without the key, the MACs
 * reveal nothing.
 */
import { createHmac, randomUUID } from "node:crypto";
import { isProperties, type Properties, propertiesIn } from "../schema/value";

export interface Macs {
  /** Random for each attempt, so that two attempts with the same value look different. */
  readonly salt: string;
  /** The arguments, with a MAC instead of each value. */
  readonly of: Properties;
}

/** The MACs of the values; undefined if there is no key or no value. */
export function macsOf(values: Properties, key: string | undefined): Macs | undefined {
  if (key === undefined || Object.keys(values).length === 0) return undefined;
  const salt = randomUUID();
  const of = (members: Properties, path: readonly string[]): Properties =>
    mapped(members, (value, name) =>
      isProperties(value) ? of(value, [...path, name]) : macOf(key, salt, [...path, name], value),
    );
  return { salt, of: of(values, []) };
}

/** The values whose MACs prove that they were sent. */
export function provenValues(
  macs: Macs | undefined,
  values: Properties,
  key: string | undefined,
): Properties {
  if (macs === undefined || key === undefined) return {};
  const provenPart = (macTree: Properties, part: Properties, path: readonly string[]): Properties =>
    mapped(macTree, (mac, name) => {
      const value = Object.hasOwn(part, name) ? part[name] : undefined;
      if (isProperties(mac)) return provenPart(mac, propertiesIn(value), [...path, name]);
      return macOf(key, macs.salt, [...path, name], value) === mac ? value : undefined;
    });
  return provenPart(macs.of, values, []);
}

/** Whether the value has the form of an attempt's MACs. */
export function areMacs(value: unknown): boolean {
  return isProperties(value) && typeof value.salt === "string" && isTree(value.of);
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

/** The value with the names in each object sorted, because the engine does not keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isProperties(value)) return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name])]);
}

/** The mapped members, without those that become undefined. */
function mapped(members: Properties, map: (value: unknown, name: string) => unknown): Properties {
  const entries = Object.entries(members).map(([name, value]) => [name, map(value, name)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
