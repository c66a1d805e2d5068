import { createHash } from "node:crypto";

/**
 * The stack that declares the deployment with this name: the one whose name, hashed with this name, has the highest
 * hash. Adding a name moves no other name to another stack. Adding a stack moves only the names that the stack takes.
 */
export function shardOf(name: string, stacks: readonly string[]): string | undefined {
  const weigh = (stack: string) => createHash("sha256").update(`${stack}\n${name}`).digest("hex");
  const weighed = stacks.map((stack) => ({ stack, weight: weigh(stack) }));
  return weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))[0]?.stack;
}
