/** The part of the configuration that only a program can check: which keys there are, and which of them are secret. */
import * as pulumi from "@pulumi/pulumi";
import { confidentialIn } from "../../provider/client/connection";
import { NAME, settingName } from "../../provider/fields/naming";
import { CONFIGURATION_KEYS, configurationRows, type SettingTable } from "../../provider/fields/settings";
import { isProperties, jsonIn } from "../../provider/fields/value";
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
    if (namespace !== NAME || Object.hasOwn(configurationRows, name)) continue;
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
  for (const key of CONFIGURATION_KEYS) {
    const value = config.get(key);
    if (isSecret(settingName(key)) || !holdsKey(key, value)) continue;
    throw refusal(
      `configuration ${settingName(key)} holds a key but is not a secret: it would stand in the state in clear. ` +
        `Set it again with \`pulumi config set --secret ${settingName(key)}\``,
    );
  }
}

const rows: SettingTable = configurationRows;

/** Whether the value of this setting, or of a connection's, is a secret or has one in it. */
function holdsKey(setting: string, value: unknown): boolean {
  const secret = rows[setting]?.secret;
  if (secret === undefined || value === undefined) return false;
  if (secret === "always") return true;
  const members = typeof value === "string" ? jsonIn(value) : value;
  // The provider says what is wrong with it; what it holds is not known, so it is treated as a key.
  if (members === undefined) return true;
  if (typeof members !== "object" || members === null) return false;
  if (setting === "headers") return confidentialIn({ ...members }).length > 0;
  return Object.values(members).some(
    (connection) =>
      isProperties(connection) && Object.entries(connection).some(([key, each]) => holdsKey(key, each)),
  );
}

/** The SDK knows which keys are secret, but its types do not say so. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
