/** Entries that Pulumi's SDK loses on their way to the engine. */
import * as pulumi from "@pulumi/pulumi";
import { refusal } from "./refusal";

/** The SDK hands an object over without an entry of this name. */
const LOST = "__proto__";

/** Refuses what would be dropped without a word, such as a secret of that name, or all secrets of a Map. */
export function refuseLostEntries(label: string, args: object): void {
  const loss = lossIn(args, []);
  if (loss !== undefined) throw refusal(`${label}: ${loss}`);
}

function lossIn(value: unknown, path: readonly string[]): string | undefined {
  if (pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value)) return undefined;
  const kind = lostKind(value);
  if (kind !== undefined)
    return `${path.join(".")}: got a ${kind}, which Pulumi drops; allowed: plain values, lists and objects`;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, name];
    const loss = name === LOST ? ofLostName(own) : lossIn(member, own);
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function lostKind(value: unknown): string | undefined {
  if (typeof value === "function") return "function";
  if (value instanceof Map) return "Map";
  return value instanceof Set ? "Set" : undefined;
}

function ofLostName(path: readonly string[]): string {
  return `${path.join(".")}: the name ${LOST} is JavaScript's own, and Pulumi drops an entry with it; allowed: any other name. Give the entry another one`;
}

/**
 * The argument, such that an entry of it may be called `toString`: the SDK turns each argument into text for its own
 * debugging, and would fail on such a one without saying where.
 */
export function withText(value: unknown): unknown {
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || !Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty({ ...value }, Symbol.toPrimitive, { value: () => "an object" });
}
