/** Merges JSON by RFC 7386, and finds values by path. */
import { isProperties, type Properties, valueAt as valueAtNames } from "../../provider/fields/value";

/** RFC 7386: objects merge, null removes, everything else (arrays too) replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isProperties(patch)) return patch;
  const result: Properties = isProperties(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** Removes null members at every depth, except inside arrays. */
export const withoutNulls = (value: unknown): unknown => mergePatch({}, value);

/** The value at a dotted path; undefined if there is none. */
export const valueAt = (value: unknown, path: string): unknown => valueAtNames(value, path.split("."));
