/** Text that may be JSON. */

/** What the JSON says; undefined where the text is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
