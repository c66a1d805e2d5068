/** Converts between the mocks' values, with the SDK's marks for secrets and unknowns, and the provider's plain ones. */
import * as pulumi from "@pulumi/pulumi";
import { isAbsent, isProperties, type Properties, UNKNOWN } from "../../provider/fields/value";

/** Removes the marks of secrets, and replaces unknowns with the engine's text for them. */
export function unmarked(value: unknown): unknown {
  if (pulumi.isUnknown(value)) return UNKNOWN;
  if (pulumi.runtime.isRpcSecret(value)) return unmarked(pulumi.runtime.unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isProperties(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

/** The names of the properties that are, or hold, a secret. */
export function secretNames(properties: Properties): string[] {
  return Object.keys(properties).filter((name) => holdsSecret(properties[name]));
}

function holdsSecret(value: unknown): boolean {
  if (pulumi.runtime.isRpcSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** Marks these outputs as secret, as the engine records them. */
export function withSecrets(outputs: Properties, names: readonly string[]): Properties {
  const presentNames = names.filter((name) => !isAbsent(outputs[name]));
  return {
    ...outputs,
    ...Object.fromEntries(presentNames.map((name) => [name, pulumi.secret(outputs[name])])),
  };
}
