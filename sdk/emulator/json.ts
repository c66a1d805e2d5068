/** JSON objects: merged by RFC 7386, and read by path. */

export type JsonRecord = { [key: string]: unknown };

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 7386: objects merge, null removes, everything else (arrays too) replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: JsonRecord = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** The object without members that are null, at every depth that is not within an array. */
export function withoutNulls(value: unknown): unknown {
  return mergePatch({}, value);
}

/** The value at a dotted path; undefined when there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
}
