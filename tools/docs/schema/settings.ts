/** The settings, as variables of the stack's configuration and as inputs of a provider that a program declares. */
import { environmentName } from "../../../provider/schema/naming";
import { configurationRows, type Setting, type SettingTable } from "../../../provider/schema/settings";
import type { Prose } from "./prose";
import type { Spec, Types } from "./types";

const settings = Object.entries(configurationRows as SettingTable);

/** Defaults are only in the prose. If a package filled a default in, the setting would count as set by the program. */
function setting(key: string, { kind, secret }: Setting<unknown>, types: Types, prose: Prose): Spec {
  const ownDescription = prose.ofRow(configurationRows[key as keyof typeof configurationRows], key);
  const description = `${ownDescription} The environment variable \`${environmentName(key)}\` wins.`;
  return {
    description,
    ...types.type(kind, { root: "", owner: "", name: key, description: ownDescription, isGiven: true }),
    ...(secret && { secret: true }),
  };
}

export function configuration(types: Types, prose: Prose): Spec {
  const variables = settings.map(([key, row]): [string, Spec] => {
    // Packages read a choice in the configuration as JSON, and `forbid` is not valid JSON.
    const kind = row.kind.type === "choice" ? { type: "text" as const } : row.kind;
    const spec = setting(key, { ...row, kind }, types, prose);
    // Packages read the value of an environment variable as a plain string, a number or a boolean.
    const isPlain = typeof spec.type === "string" && spec.type !== "object";
    return [key, { ...spec, ...(isPlain && { defaultInfo: { environment: [environmentName(key)] } }) }];
  });
  return { variables: Object.fromEntries(variables) };
}

/**
 * The provider's inputs do not name environment variables as defaults. Packages would write the variables' values,
 * including keys, into the provider's state. The plugin itself reads the environment variables.
 */
export function provider(types: Types, prose: Prose): Spec {
  const inputs = settings.map(([key, row]) => [key, setting(key, row, types, prose)]);
  return { inputProperties: Object.fromEntries(inputs) };
}
