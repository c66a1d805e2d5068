/** Stops a program with one sentence, which the engine shows without a stack trace. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The error to throw. The message replaces the stack trace, because the SDK renders stack traces that the engine never
 * shows. Rendering took Node over ten seconds, because the trace grew to the maximum length of a string.
 */
export function refusal(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}

/** Refuses arguments that the SDK would silently drop: an entry named `__proto__`, a function, or a Map or Set. */
export function refuseLostEntries(label: string, args: object): void {
  const loss = lossIn(args, []);
  if (loss !== undefined) throw refusal(`${label}: ${loss}`);
}

function lossIn(value: unknown, path: readonly string[]): string | undefined {
  if (path.at(-1) === "__proto__")
    return `${path.join(".")}: the name __proto__ is JavaScript's own, and Pulumi drops an entry with it; allowed: any other name. Set another one`;
  if (pulumi.Output.isInstance(value) || pulumi.Resource.isInstance(value)) return undefined;
  if (typeof value === "function" || value instanceof Map || value instanceof Set) {
    const kind = typeof value === "function" ? "function" : value.constructor.name;
    return `${path.join(".")}: got a ${kind}, which Pulumi drops; allowed: plain values, lists and objects`;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const losses = Object.entries(value).map(([name, member]) => lossIn(member, [...path, name]));
  return losses.find((loss) => loss !== undefined);
}

/** The SDK converts each argument to a string. If that fails, the SDK does not say which argument failed. */
export function withText(value: unknown): unknown {
  if (!isPlain(value) || !Object.hasOwn(value, "toString")) return value;
  return Object.defineProperty({ ...value }, Symbol.toPrimitive, { value: () => "an object" });
}

/** Whether the value is a plain object, such as `{ a: 1 }`. An output or an instance of a class is not plain. */
export const isPlain = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
