/** The part of the configuration that only a program can check: whether keys were set as secrets. */
import * as pulumi from "@pulumi/pulumi";

const NAMESPACE = "deploymentControl";

/** Refuses a key in the stack's configuration that is no secret: it would lie in the state in clear. */
export function refuseOpenKeys(): void {
  const config = new pulumi.Config(NAMESPACE);
  for (const key of ["apiKey", "connections"]) {
    const value = config.get(key);
    if (value === undefined || isSecret(`${NAMESPACE}:${key}`)) continue;
    if (key === "connections" && !holdsKey(value)) continue;
    throw new pulumi.RunError(
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
