/** A connection: the checked settings of a service or of a running deployment. */

import { fittingProfile, type Profile, profileNamed } from "../profiles/profiles";
import { deploymentRows } from "../schema/deployment";
import { listenerRows } from "../schema/listener";
import {
  CONNECTION_KEYS,
  type ConnectionKey,
  connectionRows,
  type OptionsOf,
  runtimeRows,
  type SettingTable,
  type SettingValues,
} from "../schema/settings";
import type { PlacedError } from "../schema/words";
import type { Clock } from "./clock";
import { ConfigurationError } from "./errors";
import { type Headers, requestHeaders } from "./headers";
import type { HttpOptions } from "./http";
import { type Origin, refuseUnknown, settingsIn } from "./settings";

type Values = SettingValues<typeof connectionRows>;
type Credential = "apiKey" | "authHeader" | "authScheme" | "allowInsecure";

/** Whether every header counts as a credential, whatever its name. */
interface SecretHeaders {
  readonly secretHeaders?: boolean | undefined;
}

/** The settings of one service, and everything else that a request to the service needs. */
export interface Connection extends Omit<Values, Credential | "headers" | "profile" | "profileOverrides"> {
  /** The connection's name; undefined for the default connection. */
  readonly name: string | undefined;
  /** The credential's header and the additional headers. */
  readonly headers: Headers;
  readonly profile: Profile;
  /** The full name of the setting `profile`; undefined if the user has set a profile. */
  readonly unsetProfile: string | undefined;
  /** Options for a client of a running deployment, without the deployment's address. */
  readonly runtime: Omit<OptionsOf<"runtime">, "deploymentUrl"> & SecretHeaders;
  readonly secrets: readonly string[];
  /** The key of the MACs that let the journal recognize values without storing them; undefined without an API key. */
  readonly macKey: string | undefined;
}

const rows: SettingTable = connectionRows;

export type Settings = { readonly [key in ConnectionKey]?: unknown };

/** Returns the connection that the settings describe. Throws a ConfigurationError, which never shows a key. */
export function connectionOf(
  origin: Origin & SecretHeaders & { readonly name: string | undefined },
  settings: Settings,
): Connection {
  const { name, prefix, secretHeaders } = origin;
  refuseUnknown(Object.keys(settings), CONNECTION_KEYS, prefix, "a setting");
  const place = (key: string) => `${prefix}${key === "address" ? "baseUrl" : key}`;
  const values = settingsIn(connectionRows, settings, origin);
  const { headers, secrets } = requestHeaders(values.baseUrl, values, place, secretHeaders);
  const { apiKey, authHeader, authScheme, allowInsecure, profileOverrides, ...otherValues } = values;
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const settingSecrets = entries
    .filter(([key]) => rows[key]?.secret === "always")
    .map(([, value]) => value as string);
  const profile = profileOf(values, prefix);
  const unsetProfile = settings.profile === undefined ? `${prefix}profile` : undefined;
  const misfit = misfitOf({ baseUrl: values.baseUrl, unsetProfile }, fittingProfile(values.baseUrl, profile));
  if (misfit !== undefined) throw misfit;
  return {
    ...otherValues,
    name,
    headers,
    profile,
    unsetProfile,
    runtime: { ...Object.fromEntries(entries.filter(([key]) => key in runtimeRows)), secretHeaders },
    secrets: [...settingSecrets, ...secrets],
    macKey: apiKey,
  };
}

/** Returns an error if the service needs the profile `fitting`, but the user has not set `profile`. */
export function misfitOf({ baseUrl, unsetProfile }: Partial<Connection>, fitting: string | undefined) {
  if (fitting === undefined || unsetProfile === undefined) return undefined;
  const words = `is not set, but ${baseUrl} is LangSmith: set profile to "${fitting}", or to "contract" if it is not`;
  return new ConfigurationError(words, unsetProfile);
}

function profileOf({ profile, profileOverrides }: Values, prefix: string): Profile {
  try {
    return profileNamed(profile, profileOverrides, [deploymentRows, listenerRows]);
  } catch (error) {
    const { words, place } = error as PlacedError;
    throw new ConfigurationError(words, `${prefix}${place}`);
  }
}

export type RuntimeClientOptions = OptionsOf<"runtime"> & {
  clock?: Clock | undefined;
};

/** Options for requests to a running deployment. Throws a ConfigurationError, which never shows a key. */
export function runtimeConnection({
  clock,
  secretHeaders,
  ...options
}: RuntimeClientOptions & SecretHeaders): HttpOptions {
  refuseUnknown(Object.keys(options), [...Object.keys(runtimeRows), "clock"], "", "an option");
  const values = settingsIn(runtimeRows, options, { prefix: "", howToSet: "use the option" });
  const { deploymentUrl, apiKey, authHeader, authScheme, allowInsecure, ...limits } = values;
  const place = (key: string) => (key === "address" ? "deploymentUrl" : key);
  return {
    ...limits,
    baseUrl: deploymentUrl,
    headers: requestHeaders(deploymentUrl, values, place, secretHeaders).headers,
    addressAdvice: "set deploymentUrl to the address of a running deployment",
    ...(clock && { clock }),
  };
}
