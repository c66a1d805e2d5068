/** Names of entries that Pulumi's SDK loses on their way to the engine. */
import * as pulumi from "@pulumi/pulumi";
import { refusal } from "./refusal";

/** The SDK hands an object over without an entry of this name. */
const LOST = "__proto__";

/** Refuses what would be dropped without a word, such as a secret of that name. */
export function refuseLostNames(label: string, args: object): void {
  const path = lostNameIn(args, []);
  if (path === undefined) return;
  throw refusal(
    `${label}: ${path.join(".")}: the name ${LOST} is JavaScript's own, and Pulumi drops an entry with it; allowed: any other name. Give the entry another one`,
  );
}

function lostNameIn(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, name];
    const lost = name === LOST ? own : lostNameIn(member, own);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
