/**
 * The configuration: the service, the credential and the profile. Environment variables override the stack's
 * configuration. On refresh and destroy, the stack's configuration comes from the last `pulumi up` and may be stale.
 */

import { type Connection, connectionOf } from "../client/connection";
import { ConfigurationError } from "../client/errors";
import { settingValue } from "../client/settings";
import { environmentName, settingName } from "../schema/naming";
import { CONFIGURATION_KEYS, CONNECTION_KEYS, configurationRows, connectionRows } from "../schema/settings";
import { nearest } from "../schema/words";

/** Reads a setting of the stack's configuration by its key, such as `baseUrl`. */
export interface ConfigurationSource {
  (key: string): string | undefined;
  /** Whether the stack is known to keep the setting as a secret. */
  readonly isSecret?: (key: string) => boolean;
}

const HOW_TO_CONFIGURE = `run \`pulumi config set ${settingName("baseUrl")} https://…\` or set ${environmentName("baseUrl")}`;

const OLDEST_NODE = 22;

/** Throws an Error if this process runs on a version of Node that lacks functions that the provider calls. */
export function refuseOldNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE)
    throw new Error(
      `Node ${OLDEST_NODE} or later is needed; this is ${node}. Put a newer Node first on the PATH`,
    );
}

/** The default connection, or the connection with that name in `connections`. */
export function connectionFrom(
  source: ConfigurationSource,
  environment: NodeJS.ProcessEnv,
  name: string | undefined,
): Connection {
  refuseOldNode();
  refuseMisspelled(environment);
  const settingOf = (key: string) => settingFrom(source, environment, key);
  const isSetAsSecret = (key: string) =>
    source.isSecret?.(key) === true && nonEmpty(environment[environmentName(key)]) === undefined;
  const connections = settingValue(configurationRows.connections, settingOf("connections"), "connections");
  if (name === undefined)
    return connectionOf(
      { name: undefined, prefix: "", howToSet: HOW_TO_CONFIGURE, secretHeaders: isSetAsSecret("headers") },
      Object.fromEntries(CONNECTION_KEYS.map((key) => [key, settingOf(key)])),
    );
  const names = Object.keys(connections);
  const settings = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (typeof settings !== "object" || settings === null) {
    const choices = names.length === 0 ? "none is configured" : `allowed: ${names.join(", ")}`;
    throw new ConfigurationError(
      `got "${name}"; ${choices}. Add it to the JSON of ${eitherName("connections")}`,
      "connection",
    );
  }
  const howToSet = `set it in the JSON of ${eitherName("connections")}`;
  const secretHeaders = isSetAsSecret("connections");
  // A stack that forbids new revisions forbids them on every service.
  const forbidden = settingOf("newRevisions") === "forbid" ? { newRevisions: "forbid" } : {};
  const place = { name, prefix: `connections.${name}.`, howToSet, secretHeaders };
  return connectionOf(place, { ...settings, ...forbidden });
}

/** Refuses misspelled variables, which would have no effect. Others with our prefix may belong to another program. */
function refuseMisspelled(environment: NodeJS.ProcessEnv): void {
  const names = CONFIGURATION_KEYS.map(environmentName);
  for (const [variable, value] of Object.entries(environment)) {
    if (!/^DEPLOYMENT_?CONTROL/i.test(variable) || names.includes(variable) || !nonEmpty(value)) continue;
    const suggestion = nearest(variable, names);
    if (suggestion === undefined) continue;
    throw new ConfigurationError(
      `the environment variable ${variable} is set, but is not a setting; did you mean ${suggestion}?`,
    );
  }
}

/** The value in the environment or, if there is none, in the stack's configuration. */
export function settingFrom(
  source: ConfigurationSource,
  environment: NodeJS.ProcessEnv,
  key: string,
): string | undefined {
  return nonEmpty(environment[environmentName(key)]) ?? nonEmpty(source(key));
}

/**
 * The environment variables that apply to a provider. If the program sets the provider's base URL, leaves out the
 * variables of connection settings and of all settings that the program sets. A `newRevisions` of `forbid` stays.
 */
export function environmentOf(
  source: ConfigurationSource,
  isExplicit: boolean,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const isProvided = (key: string) => nonEmpty(source(key)) !== undefined;
  if (!isExplicit || !isProvided("baseUrl")) return environment;
  const environmentLeft = { ...environment };
  for (const key of CONFIGURATION_KEYS) {
    const name = environmentName(key);
    const isForbidding = key === "newRevisions" && environment[name]?.trim() === "forbid";
    if (!isForbidding && (Object.hasOwn(connectionRows, key) || isProvided(key)))
      delete environmentLeft[name];
  }
  return environmentLeft;
}

export function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

/** The name of a setting, with the name of its environment variable. */
export function eitherName(key: string): string {
  return `${settingName(key)} (or ${environmentName(key)})`;
}
