/** JSON: read, merged by RFC 7386, and looked into by path. */
import { isProperties, type Properties, valueAt as valueAtNames } from "../../provider/fields/value";

export type JsonRecord = Properties;

/** RFC 7386: objects merge, null removes, everything else (arrays too) replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isProperties(patch)) return patch;
  const merged: JsonRecord = isProperties(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** The object without members that are null, at every depth that is not within an array. */
export const withoutNulls = (value: unknown): unknown => mergePatch({}, value);

/** The value at a dotted path; undefined when there is none. */
export const valueAt = (value: unknown, path: string): unknown => valueAtNames(value, path.split("."));

/** The value of a JSON text; undefined when it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
