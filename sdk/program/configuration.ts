/** The part of the configuration that only a program can check: which keys there are, and which of them are secret. */
import * as pulumi from "@pulumi/pulumi";
import { NAME, settingName } from "../../provider/fields/naming";
import { CONFIGURATION_KEYS, configurationRows } from "../../provider/fields/settings";
import { suggestion } from "../../provider/fields/words";
import { holdsKey, openKeyWords } from "../../provider/run/openKeys";
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
    throw refusal(openKeyWords(settingName(key)));
  }
}

/** The SDK knows which keys are secret, but its types do not say so. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
