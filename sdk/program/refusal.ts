/** Stops a program with one sentence, which the engine shows without a stack. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The error to throw. Its stack is its message, because the SDK renders the stack for its trace although the engine shows
 * none. For the SDK's own frames (`node_modules/@pulumi/resource.ts` in its source maps), Node took over ten seconds to
 * render them, until it reached its maximum string length.
 */
export function refusal(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Pulumi's SDK drops an entry with this name on the way to the engine. */
const LOST = "__proto__";

/** Refuses arguments that would be dropped silently, such as a secret of that name, or all secrets in a Map. */
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
    const memberPath = [...path, name];
    const loss = name === LOST ? lostNameMessage(memberPath) : lossIn(member, memberPath);
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function lostKind(value: unknown): string | undefined {
  if (typeof value === "function") return "function";
  if (value instanceof Map) return "Map";
  return value instanceof Set ? "Set" : undefined;
}

function lostNameMessage(path: readonly string[]): string {
  return `${path.join(".")}: the name ${LOST} is JavaScript's own, and Pulumi drops an entry with it; allowed: any other name. Give the entry another one`;
}

/**
 * Allows an entry named `toString`: the SDK converts each argument to text for its own debugging, and would fail on such an
 * entry without saying where.
 */
export function withText(value: unknown): unknown {
  const isPlain =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || !Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty({ ...value }, Symbol.toPrimitive, { value: () => "an object" });
}
