/** Checks facts that only a program can read from the configuration: which keys exist, and which are secret. */
import * as pulumi from "@pulumi/pulumi";
import { hasOtherHeaders, holdsKey, plaintextKeyMessage } from "../../provider/client/headers";
import { NAME, settingName } from "../../provider/schema/naming";
import { CONFIGURATION_KEYS, isStraySetting } from "../../provider/schema/settings";
import { suggestion } from "../../provider/schema/words";
import { refusal } from "./refusal";

/** Refuses mistakes in the stack's configuration that the provider cannot see. */
export function refuseBadConfiguration(): void {
  refuseUnknownKeys();
  refuseOpenKeys();
}

/** The provider cannot list the configuration's keys, and would silently ignore a misspelled key. */
function refuseUnknownKeys(): void {
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    const [namespace, name = ""] = key.split(":");
    if (namespace !== NAME || !isStraySetting(name, pulumi.runtime.getProject())) continue;
    throw refusal(`configuration ${key}: is not a setting; ${suggestion(name, CONFIGURATION_KEYS)}`);
  }
}

/** If an API key is not marked secret, the state contains the key in plaintext. */
function refuseOpenKeys(): void {
  const config = new pulumi.Config(NAME);
  for (const key of CONFIGURATION_KEYS) {
    const setting = config.get(key);
    if (isSecret(settingName(key)) || !holdsKey(key, setting)) continue;
    throw refusal(plaintextKeyMessage(settingName(key)));
  }
}

/** The stack's settings, for the requests that the program itself sends. */
export function stackSettings() {
  const config = new pulumi.Config(NAME);
  return Object.assign((key: string) => config.get(key), {
    isSecret: (key: string) => isSecret(settingName(key)),
  });
}

/** The names of settings that only the stack's marks identify as secret. The engine does not pass the marks on. */
export function secretSettings(): string[] | undefined {
  const settings = stackSettings();
  const secretKeys = (["headers", "connections"] as const).filter(
    (key) => settings.isSecret(key) && hasOtherHeaders(key, settings(key)),
  );
  return secretKeys.length > 0 ? secretKeys : undefined;
}

/** The SDK has the function `isConfigSecret`, but the SDK's types lack it. */
function isSecret(key: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(key: string): boolean }).isConfigSecret(key);
}
