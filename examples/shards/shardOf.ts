import { createHash } from "node:crypto";

/**
 * The stack that has the name: the one with the highest hash of both. An added name moves no other name. An added stack
 * takes its share of the names, and no other name moves.
 */
export function shardOf(name: string, stacks: readonly string[]): string | undefined {
  const weigh = (stack: string) => createHash("sha256").update(`${stack}\n${name}`).digest("hex");
  const weighed = stacks.map((stack) => ({ stack, weight: weigh(stack) }));
  return weighed.sort((one, other) => (one.weight < other.weight ? 1 : -1))[0]?.stack;
}
