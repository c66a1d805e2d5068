/** Merges JSON by RFC 7386, and finds values by path. */
import { isProperties, type Properties, valueAt as valueAtNames } from "../../provider/schema/value";

/** Patches a copy by RFC 7386: objects merge, null removes a member, and any other value, even an array, is stored. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isProperties(patch)) return patch;
  const copy: Properties = isProperties(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete copy[key];
    else copy[key] = mergePatch(copy[key], value);
  }
  return copy;
}

/** Removes null members at any depth, except inside arrays. */
export const withoutNulls = (value: unknown): unknown => mergePatch({}, value);

export const valueAt = (value: unknown, path: string): unknown => valueAtNames(value, path.split("."));
