/** A connection: the checked settings of a service or of a running deployment, and the headers of every request to it. */
import { deploymentRows } from "../fields/deployment";
import type { Rows } from "../fields/kind";
import { listenerRows } from "../fields/listener";
import {
  CONNECTION_KEYS,
  type ConnectionKey,
  connectionRows,
  type OptionsOf,
  runtimeRows,
  type SettingTable,
  type SettingValues,
} from "../fields/settings";
import { type Profile, profileNamed } from "../profiles/profiles";
import type { Clock } from "./clock";
import { ConfigurationError } from "./errors";
import type { HttpOptions } from "./http";
import { isOpenLine, type Origin, refuseUnknown, settingsIn } from "./settings";

type Values = SettingValues<typeof connectionRows>;
type Credential = "apiKey" | "authHeader" | "authScheme" | "allowInsecure";

/** A service to talk to: its settings, and all that its requests need. */
export interface Connection extends Omit<Values, Credential | "headers" | "profile" | "profileOverrides"> {
  /** Undefined for the default one. */
  readonly name: string | undefined;
  /** The credential's header and others, with their values. */
  readonly headers: Headers;
  readonly profile: Profile;
  /** What a client of a running deployment takes from this connection: all but the address. */
  readonly runtime: Omit<OptionsOf<"runtime">, "deploymentUrl">;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
  /** Under which the journal proves values that it does not hold; undefined without an API key. */
  readonly macKey: string | undefined;
}

const ALL_PATHS: ReadonlySet<string> = new Set([...pathsOf(deploymentRows), ...pathsOf(listenerRows)]);

function pathsOf(rows: Rows, prefix = ""): string[] {
  return Object.entries(rows).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...(field.kind.type === "object" ? pathsOf(field.kind.rows, `${prefix}${name}.`) : []),
  ]);
}

const rows: SettingTable = connectionRows;
const { baseUrl, apiKey, authHeader, authScheme, headers, allowInsecure } = connectionRows;
/** What decides over which line a key would travel. */
const lineRows = { baseUrl, apiKey, authHeader, authScheme, headers, allowInsecure } as const;

export type Settings = { readonly [key in ConnectionKey]?: unknown };

/** The connection of these settings; `name` is undefined for the default one. Throws a ConfigurationError that never holds a key. */
export function connectionOf(
  origin: Origin & { readonly name: string | undefined },
  settings: Settings,
): Connection {
  const { name, prefix } = origin;
  refuseUnknown(Object.keys(settings), CONNECTION_KEYS, prefix, "a setting");
  // Of several faults the worst comes first: a line over which the key could be read.
  const line = settingsIn(lineRows, settings, origin);
  const place = (key: string) => `${prefix}${key === "address" ? "baseUrl" : key}`;
  const { headers, secrets } = requestHeaders(line.baseUrl, line, place);
  const values = settingsIn(connectionRows, settings, origin);
  const { apiKey, authHeader, authScheme, allowInsecure, profileOverrides, ...others } = values;
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const ownSecrets = given
    .filter(([key]) => rows[key]?.secret === "always")
    .map(([, value]) => value as string);
  return {
    ...others,
    name,
    headers,
    profile: profileOf(values, prefix),
    runtime: Object.fromEntries(given.filter(([key]) => key in runtimeRows)),
    secrets: [...ownSecrets, ...secrets],
    macKey: apiKey,
  };
}

function profileOf({ profile, profileOverrides }: Values, prefix: string): Profile {
  try {
    return profileNamed(profile, profileOverrides, ALL_PATHS);
  } catch (error) {
    throw new ConfigurationError(`${prefix}${(error as Error).message}`);
  }
}

export type RuntimeClientOptions = OptionsOf<"runtime"> & {
  /** Time as pauses see it. */
  clock?: Clock | undefined;
};

/** What requests to the deployment need. Throws a ConfigurationError that never holds a key. */
export function runtimeConnection({ clock, ...options }: RuntimeClientOptions): HttpOptions {
  refuseUnknown(Object.keys(options), [...Object.keys(runtimeRows), "clock"], "", "an option");
  const values = settingsIn(runtimeRows, options, { prefix: "", howToSet: "give it as an option" });
  const { deploymentUrl, apiKey, authHeader, authScheme, allowInsecure, ...limits } = values;
  const place = (key: string) => (key === "address" ? "deploymentUrl" : key);
  return {
    ...limits,
    baseUrl: deploymentUrl,
    headers: requestHeaders(deploymentUrl, values, place).headers,
    addressQuestion: "is deploymentUrl that of a running deployment?",
    ...(clock && { clock }),
  };
}

export type Headers = { readonly [name: string]: string };

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that belong to the connection or the body, which is not the user's to shape. */
const CONNECTION_HEADER =
  /^(accept|connection|content-length|content-type|expect|host|keep-alive|transfer-encoding|upgrade)$/i;

/** Throws a ConfigurationError for headers that cannot be sent, or that are not the user's. */
export function refuseBadHeaders(headers: Headers, place: string): void {
  for (const [name, content] of Object.entries(headers)) {
    const isText = typeof content === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(content);
    if (!HEADER_NAME.test(name) || !isText)
      throw new ConfigurationError(
        `${place}: allowed: a JSON object from header names to strings without line breaks and other characters that a header cannot carry`,
      );
    if (CONNECTION_HEADER.test(name))
      throw new ConfigurationError(`${place}: "${name}" is set by the client itself and cannot be given`);
  }
}

const CONFIDENTIAL_HEADER = /auth|key|token|secret|cookie|password|credential/i;

/** Names of the headers whose values are taken for credentials too. */
export function confidentialIn(headers: Headers): string[] {
  return Object.keys(headers).filter((name) => CONFIDENTIAL_HEADER.test(name));
}

/** The headers but for those names, whatever their case: a header sent twice would be read as one joined value. */
export function without(headers: Headers, names: readonly string[]): Headers {
  const taken = names.map((name) => name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !taken.includes(name.toLowerCase())));
}

export type CredentialSettings = Pick<Values, "apiKey" | "authHeader" | "authScheme">;

/** The header of the credential; none without a key, or where the header is `none`. */
export function credentialOf(
  { apiKey, authHeader, authScheme }: CredentialSettings,
  place: (key: keyof CredentialSettings) => string,
): Headers {
  if (!HEADER_NAME.test(authHeader) || CONNECTION_HEADER.test(authHeader)) {
    throw new ConfigurationError(
      `${place("authHeader")}: allowed: the name of a header such as X-Api-Key, or none`,
    );
  }
  if (apiKey === undefined || authHeader.toLowerCase() === "none") return {};
  // A header's value ends at a line break: a key with one would be cut, or smuggle in a header.
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(apiKey)) {
    throw new ConfigurationError(
      `${place("apiKey")}: has characters that a key in a header cannot have: a line break, several blanks together or at an end, or a letter that is not ASCII. Copy it again from where it was made`,
    );
  }
  if (authScheme === undefined) return { [authHeader]: apiKey };
  if (!HEADER_NAME.test(authScheme)) {
    throw new ConfigurationError(`${place("authScheme")}: allowed: one word such as Bearer`);
  }
  return { [authHeader]: `${authScheme} ${apiKey}` };
}

/**
 * The headers of every request to the address, and the secrets among their values.
 *
 * Throws a ConfigurationError for settings that make no header, and where a credential would travel over plain http to
 * another machine.
 */
export function requestHeaders(
  address: string,
  settings: CredentialSettings & Pick<Values, "headers" | "allowInsecure">,
  place: (key: "address" | keyof Values) => string,
): { headers: Headers; secrets: string[] } {
  const credential = credentialOf(settings, place);
  const further: Headers = settings.headers;
  refuseBadHeaders(further, place("headers"));
  const secrets = [
    ...Object.values(credential),
    ...confidentialIn(further).map((name) => further[name] as string),
  ];
  if (secrets.length > 0 && isOpenLine(address) && !settings.allowInsecure)
    throw new ConfigurationError(
      `${place("address")}: ${address} is plain http, over which the key could be read on its way. Use https, or set ${place("allowInsecure")} to true`,
    );
  return { headers: { ...without(further, Object.keys(credential)), ...credential }, secrets };
}
