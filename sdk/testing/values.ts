/** Values as mocks see and answer them: secrets and unknowns are marked in the SDK's way, and the provider knows plain ones. */
import * as pulumi from "@pulumi/pulumi";
import { isAbsent, isProperties, type Properties, UNKNOWN } from "../../provider/fields/value";

/** The value without the marks of secrets; what is unknown until the apply is the engine's own text for that. */
export function plain(value: unknown): unknown {
  if (pulumi.isUnknown(value)) return UNKNOWN;
  if (pulumi.runtime.isRpcSecret(value)) return plain(pulumi.runtime.unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(plain);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** The names of the properties that are, or hold, a secret. */
export function secretIn(properties: Properties): string[] {
  return Object.keys(properties).filter((name) => holdsSecret(properties[name]));
}

function holdsSecret(value: unknown): boolean {
  if (pulumi.runtime.isRpcSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** Outputs with those of these names as secrets, as the engine records them. */
export function withSecrets(outputs: Properties, names: readonly string[]): Properties {
  const given = names.filter((name) => !isAbsent(outputs[name]));
  return { ...outputs, ...Object.fromEntries(given.map((name) => [name, pulumi.secret(outputs[name])])) };
}
