/** Which values must not be shown: those of secret rows, and those that the program marked secret. */
import type { Rows } from "./kind";

/** Whether the value at a path must not be shown. */
export type Hidden = (path: string) => boolean;

/** Hides the values at these paths, what is within them, and what they are within. */
export function hiddenBy(paths: readonly string[]): Hidden {
  return (path) => paths.some((by) => path === by || path.startsWith(`${by}.`) || by.startsWith(`${path}.`));
}

/** The names of the table's secret rows. */
export function secretNamesIn(rows: Rows): string[] {
  return Object.keys(rows).filter((name) => rows[name]?.secret === true);
}
