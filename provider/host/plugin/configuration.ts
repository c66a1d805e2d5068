/** The configuration of a provider resource: the default one has the stack's, another one what the program gives it. */
import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { Fault } from "../../fields/check";
import { environmentName, NAME, settingName } from "../../fields/naming";
import { CONFIGURATION_KEYS, configurationRows } from "../../fields/settings";
import { suggestion } from "../../fields/words";
import type { ConfigurationSource } from "../../run/configuration";
import { holdsKey, openKeyWords } from "../../run/openKeys";
import type { Sent } from "./wire";

/** What the engine itself keeps among a provider's inputs. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/** The values are checked where a connection is made of them. */
export function unknownSettings({ values }: Sent): Fault[] {
  const keys = Object.keys(values).filter((key) => !ENGINES_OWN.includes(key) && !key.startsWith("__"));
  const strays = keys.filter((key) => !Object.hasOwn(configurationRows, key));
  return strays.map((key) => ({
    path: [`configuration ${settingName(key)}`],
    words: `is not a setting; ${suggestion(key, CONFIGURATION_KEYS)}`,
  }));
}

/** Each in one sentence. Only `Configure` can tell: the engine asks `CheckConfig` without any mark of a secret. */
export function openKeys({ values, secrets }: Sent): string[] {
  const isMarked = (key: string): boolean => secrets.some(([name]) => name === key);
  const open = Object.keys(values).filter((key) => holdsKey(key, values[key]) && !isMarked(key));
  return open.map((key) => openKeyWords(settingName(key)));
}

/** What the engine hands over to `Configure`: text, JSON where a setting has a structure. */
export function sourceOf(request: ConfigureRequest): ConfigurationSource {
  const variables = request.getVariablesMap();
  return (key) => variables.get(variableName(key));
}

const variableName = (key: string): string => `${NAME}:config:${key}`;

/**
 * The environment wins over a stack's settings, but not over those that a program gives a provider of its own: it may
 * declare several, each for another service. A process serves one provider, so its environment forgets what that was given.
 */
export function leaveToProgram(request: ConfigureRequest, environment: NodeJS.ProcessEnv): void {
  const name = request.getName() ?? "";
  // As the engine knows its default providers.
  if (name === "" || name.startsWith("default")) return;
  const given = CONFIGURATION_KEYS.filter((key) => request.getVariablesMap().has(variableName(key)));
  for (const key of given) delete environment[environmentName(key)];
}
