import { createHash } from "node:crypto";

/**
 * The stack that declares the deployment with this name. Hashes this name with each stack's name; the highest hash
 * wins. A new name moves no existing name to a different stack. A new stack moves only the names that it takes over.
 */
export function shardOf(name: string, stacks: readonly string[]): string | undefined {
  const weigh = (stack: string) => createHash("sha256").update(`${stack}\n${name}`).digest("hex");
  const weighed = stacks.map((stack) => ({ stack, weight: weigh(stack) }));
  return weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))[0]?.stack;
}
