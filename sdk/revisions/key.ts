/** The configuration key by which a program reads an argument, or a part of one such as the tag of an image. */

/**
 * The key's new value, which gives the argument its new value; undefined if the key's value is not a part of the
 * argument's old value.
 */
export function keyValueFor(current: string, before: unknown, after: unknown): string | undefined {
  if (typeof before !== "string" || typeof after !== "string" || current === "") return undefined;
  const at = before.lastIndexOf(current);
  if (at < 0) return undefined;
  const [head, tail] = [before.slice(0, at), before.slice(at + current.length)];
  const isAround = after.startsWith(head) && after.endsWith(tail) && after.length > head.length + tail.length;
  return isAround ? after.slice(head.length, after.length - tail.length) : undefined;
}
