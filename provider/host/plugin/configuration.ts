/** The configuration of a provider resource: the stack's for the default one, the program's for an explicit one. */
import type { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { holdsKey, openKeyWords } from "../../client/headers";
import type { Fault } from "../../fields/check";
import { environmentName, isEnginesProvider, NAME, settingName } from "../../fields/naming";
import { CONFIGURATION_KEYS, configurationRows } from "../../fields/settings";
import { suggestion } from "../../fields/words";
import type { ConfigurationSource } from "../../run/configuration";
import { type Bag, bagIn } from "./wire";

/** Inputs of a provider that belong to the engine. */
const ENGINES_OWN = ["version", "pluginDownloadURL"];

/** The values are checked where a connection is made of them. */
export function unknownSettings({ values }: Bag): Fault[] {
  const keys = Object.keys(values).filter((key) => !ENGINES_OWN.includes(key) && !key.startsWith("__"));
  const strays = keys.filter((key) => !Object.hasOwn(configurationRows, key));
  return strays.map((key) => ({
    path: [`configuration ${settingName(key)}`],
    words: `is not a setting; ${suggestion(key, CONFIGURATION_KEYS)}`,
  }));
}

/** One sentence for each key in clear. Only `Configure` can tell: `CheckConfig` gets no marks of secrets. */
export function openKeys({ values, secrets }: Bag): string[] {
  const isMarked = (key: string): boolean => secrets.some(([name]) => name === key);
  const open = Object.keys(values).filter((key) => holdsKey(key, values[key]) && !isMarked(key));
  return open.map((key) => openKeyWords(settingName(key)));
}

/** The settings that the engine hands to `Configure`, as text: JSON where a setting has a structure. */
export function sourceOf(request: ConfigureRequest): ConfigurationSource {
  const variables = request.getVariablesMap();
  return (key) => variables.get(variableName(key));
}

const variableName = (key: string): string => `${NAME}:config:${key}`;

/**
 * The environment wins over a stack's settings, but not over an explicit provider's: a program may declare several,
 * each for another service. A process serves one provider, so its environment forgets that one's settings.
 */
export function leaveToProgram(request: ConfigureRequest, environment: NodeJS.ProcessEnv): void {
  const name = request.getName() ?? "";
  if (name === "" || isEnginesProvider(name, bagIn(request.getArgs()).values.version)) return;
  const keys = CONFIGURATION_KEYS.filter((key) => request.getVariablesMap().has(variableName(key)));
  for (const key of keys) delete environment[environmentName(key)];
}
