/** The part of the configuration that only a program can check: which keys there are, and which of them are secret. */
import * as pulumi from "@pulumi/pulumi";
import { confidentialIn } from "../../provider/client/headers";
import { CONFIGURATION_KEYS, isOneOf } from "../../provider/client/settings";
import { NAME, settingName } from "../../provider/fields/naming";
import { suggestion } from "../../provider/fields/words";
import { refusal } from "./refusal";

/** The namespace before the first release. */
const FORMER_NAMESPACE = "deploymentControl";

/** Refuses what is wrong with the stack's configuration and that the provider cannot see. */
export function refuseBadConfiguration(): void {
  refuseStrangers();
  refuseOpenKeys();
}

/** A misspelt key would be ignored without a word: the provider can ask for keys, not list them. */
function refuseStrangers(): void {
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [namespace, name = ""] = key.split(":");
    if (namespace === FORMER_NAMESPACE) throw renamed(key, settingName(name));
    if (namespace !== NAME || isOneOf(CONFIGURATION_KEYS, name)) continue;
    throw refusal(`configuration ${key}: is not a setting; ${suggestion(name, CONFIGURATION_KEYS)}`);
  }
}

/** All keys of the former namespace would be ignored without a word. */
function renamed(key: string, name: string): pulumi.RunError {
  const secret = isSecret(key) ? "--secret " : "";
  return refusal(
    `configuration ${key}: the namespace is ${NAME} now. Run \`pulumi config set ${secret}${name} VALUE\` with the same value, then \`pulumi config rm ${key}\``,
  );
}

/** A key that is no secret would lie in the state in clear. */
function refuseOpenKeys(): void {
  const config = new pulumi.Config(NAME);
  for (const [key, holdsKey] of Object.entries(HOLDS_KEY)) {
    const value = config.get(key);
    if (value === undefined || isSecret(settingName(key)) || !holdsKey(value)) continue;
    throw refusal(
      `configuration ${settingName(key)} holds a key but is not a secret: it would stand in the state in clear. ` +
        `Set it again with \`pulumi config set --secret ${settingName(key)}\``,
    );
  }
}

type Connections = { [name: string]: { apiKey?: unknown; headers?: unknown } | null } | null;

/** The settings that may hold a key, and whether a value of theirs does. */
const HOLDS_KEY: { readonly [key: string]: (value: string) => boolean } = {
  apiKey: () => true,
  headers: (value) => withKey(value, hasConfidential),
  connections: (value) =>
    withKey(value, (connections: Connections) => Object.values(connections ?? {}).some(isKeyed)),
};

function isKeyed(connection: { apiKey?: unknown; headers?: unknown } | null): boolean {
  if (connection?.apiKey !== undefined) return true;
  const headers = connection?.headers;
  return typeof headers === "string" ? withKey(headers, hasConfidential) : hasConfidential(headers);
}

function withKey<T>(json: string, holds: (value: T) => boolean): boolean {
  try {
    // What the JSON holds is checked by the provider.
    return holds(JSON.parse(json) as T);
  } catch {
    // Not JSON: the provider says so; what it holds is not known, so it is treated as a key.
    return true;
  }
}

function hasConfidential(headers: unknown): boolean {
  return typeof headers === "object" && headers !== null && confidentialIn({ ...headers }).length > 0;
}

/** The SDK knows which keys are secret, but its types do not say so. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
