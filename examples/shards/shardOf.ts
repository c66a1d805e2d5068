import { createHash } from "node:crypto";

/**
 * The stack that has the name: the one with the highest hash of both. One name more moves no other name, and one stack
 * more takes its share of the names and moves no other name.
 */
export function shardOf(name: string, stacks: readonly string[]): string | undefined {
  const weigh = (stack: string) => createHash("sha256").update(`${stack}\n${name}`).digest("hex");
  const weighed = stacks.map((stack) => ({ stack, weight: weigh(stack) }));
  return weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))[0]?.stack;
}
