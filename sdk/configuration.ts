/** The part of the configuration that only a program can check: which keys there are, and which of them are secret. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_KEYS, isOneOf } from "../provider/client/settings";
import { suggestion } from "../provider/fields/nearest";
import { refusal } from "./refusal";

const NAMESPACE = "deploymentControl";

/** Refuses what is wrong with the stack's configuration and that the provider cannot see. */
export function refuseBadConfiguration(): void {
  refuseStrangers();
  refuseOpenKeys();
}

/** A misspelt key would be ignored without a word: the provider can ask for keys, not list them. */
function refuseStrangers(): void {
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [namespace, name = ""] = key.split(":");
    if (namespace !== NAMESPACE || isOneOf(CONFIGURATION_KEYS, name)) continue;
    throw refusal(`configuration ${key}: is not a setting; ${suggestion(name, CONFIGURATION_KEYS)}`);
  }
}

/** A key that is no secret would lie in the state in clear. */
function refuseOpenKeys(): void {
  const config = new pulumi.Config(NAMESPACE);
  for (const key of ["apiKey", "connections"]) {
    const value = config.get(key);
    if (value === undefined || isSecret(`${NAMESPACE}:${key}`)) continue;
    if (key === "connections" && !holdsKey(value)) continue;
    throw refusal(
      `configuration ${NAMESPACE}:${key} holds a key but is not a secret: it would stand in the state in clear. ` +
        `Set it again with \`pulumi config set --secret ${NAMESPACE}:${key}\``,
    );
  }
}

/** The SDK knows which keys are secret, but its types do not say so. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}

function holdsKey(connections: string): boolean {
  try {
    const parsed = JSON.parse(connections) as { [name: string]: { apiKey?: unknown } | null };
    return Object.values(parsed).some((connection) => connection?.apiKey !== undefined);
  } catch {
    // Not JSON: the provider says so; what it holds is not known, so it is treated as a key.
    return true;
  }
}
