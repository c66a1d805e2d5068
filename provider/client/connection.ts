/** A connection: the settings of one service, checked. */
import { deploymentRows } from "../fields/deployment";
import type { Rows } from "../fields/kind";
import { listenerRows } from "../fields/listener";
import { suggestion } from "../fields/words";
import { type Profile, profileNamed } from "../profiles/profiles";
import { confidentialIn, credentialOf, headersOf, without } from "./headers";
import type { RuntimeClientOptions } from "./runtimeConnection";
import {
  booleanOf,
  CONNECTION_KEYS,
  ConfigurationError,
  type ConnectionKey,
  integerOf,
  isOneOf,
  numberOf,
  oneOf,
  parseJson,
  textOf,
} from "./settings";

/** A service to talk to: all that its requests need. */
export interface Connection {
  /** Undefined for the default one. */
  readonly name: string | undefined;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The credential's header and others, with their values. */
  readonly headers: { readonly [name: string]: string };
  readonly profile: Profile;
  readonly newRevisions: "allow" | "forbid";
  readonly adopt: boolean;
  readonly requestTimeoutSeconds: number;
  readonly maxRetries: number;
  readonly maxConcurrency: number;
  /** What a client of a running deployment takes over when it is told to use this connection: all but the address. */
  readonly runtime: Omit<RuntimeClientOptions, "deploymentUrl" | "clock">;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
}

const ALL_PATHS: ReadonlySet<string> = new Set([...pathsOf(deploymentRows), ...pathsOf(listenerRows)]);

function pathsOf(rows: Rows, prefix = ""): string[] {
  return Object.entries(rows).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...(field.kind.type === "object" ? pathsOf(field.kind.rows, `${prefix}${name}.`) : []),
  ]);
}

export type Settings = { readonly [key in ConnectionKey]?: unknown };

/** Where settings come from, for the words of an error. */
export interface Origin {
  /** Undefined for the default connection. */
  readonly name: string | undefined;
  /** Put before the names of settings. */
  readonly prefix: string;
  readonly howToSet: string;
}

/** The connection of these settings. Throws a ConfigurationError that never holds a key. */
export function connectionOf(origin: Origin, settings: Settings): Connection {
  const stranger = Object.keys(settings).find((key) => !isOneOf(CONNECTION_KEYS, key));
  if (stranger !== undefined) {
    const words = `is not a setting; ${suggestion(stranger, CONNECTION_KEYS)}`;
    throw new ConfigurationError(`${origin.prefix}${stranger}: ${words}`);
  }
  const place = (key: ConnectionKey): string => `${origin.prefix}${key}`;
  const baseUrl = baseUrlOf(settings.baseUrl, place("baseUrl"), origin.howToSet);
  const credential = credentialOf(settings, place);
  const extra = headersOf(settings.headers, place("headers"));
  const confidential = confidentialIn(extra);
  if (Object.keys(credential).length + confidential.length > 0)
    refuseOpenLine(baseUrl, settings.allowInsecure, place);
  const limits = limitsOf(settings, place);
  const secrets = [settings.apiKey, ...Object.values(credential), ...confidential.map((name) => extra[name])];
  return {
    name: origin.name,
    baseUrl,
    headers: { ...without(extra, Object.keys(credential)), ...credential },
    profile: profileOf(settings, origin.prefix),
    newRevisions: oneOf(settings.newRevisions, ["allow", "forbid"] as const, "allow", place("newRevisions")),
    adopt: booleanOf(settings.adopt, place("adopt")),
    ...limits,
    runtime: { ...credentialIn(settings), headers: extra, ...limits },
    secrets: secrets.filter((value) => typeof value === "string"),
  };
}

/** The credential's settings, which have been checked by now, as a client of a running deployment takes them. */
function credentialIn({ apiKey, authHeader, authScheme, allowInsecure }: Settings) {
  const all = Object.entries({ apiKey, authHeader, authScheme, allowInsecure });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function limitsOf(settings: Settings, place: (key: ConnectionKey) => string) {
  const { requestTimeoutSeconds: seconds, maxRetries, maxConcurrency } = settings;
  return {
    requestTimeoutSeconds: numberOf(seconds, 30, 1, place("requestTimeoutSeconds"), LONGEST_TIMEOUT_SECONDS),
    maxRetries: integerOf(maxRetries, 4, 0, place("maxRetries")),
    maxConcurrency: integerOf(maxConcurrency, 16, 1, place("maxConcurrency")),
  };
}

/** A longer one would overflow the timer, which then ends at once. */
const LONGEST_TIMEOUT_SECONDS = 86_400;

export function baseUrlOf(value: unknown, place: string, howToSet: string): string {
  if (value === undefined)
    throw new ConfigurationError(`${place} is not set: there is no default service. To set it, ${howToSet}`);
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    throw new ConfigurationError(`${place}: holds a user or password; give the credential as apiKey`);
  }
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    throw new ConfigurationError(
      `${place}: got ${shownAddress(value)}; allowed: an http or https address without query, such as https://host.example/api`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** An address that was not understood, without what may be a credential in it. */
function shownAddress(value: unknown): string {
  const words = typeof value === "string" ? value.replace(/\?.*/s, "?…").replace(/\/\/.*@/s, "//…@") : value;
  return JSON.stringify(words);
}

/** Throws a ConfigurationError where a credential would travel over plain http to another machine. */
export function refuseOpenLine(
  baseUrl: string,
  allowInsecure: unknown,
  place: (key: "baseUrl" | "allowInsecure") => string,
): void {
  const { protocol, hostname } = new URL(baseUrl);
  const loopback = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === "https:" || loopback || booleanOf(allowInsecure, place("allowInsecure"))) return;
  throw new ConfigurationError(
    `${place("baseUrl")}: ${baseUrl} is plain http, over which the key could be read on its way. Use https, or set ${place("allowInsecure")} to true`,
  );
}

function profileOf(settings: Settings, prefix: string): Profile {
  const overrides = settings.profileOverrides;
  const place = `${prefix}profileOverrides`;
  const parsed = typeof overrides === "string" ? parseJson(place, overrides) : overrides;
  const name = textOf(settings.profile, `${prefix}profile`, "contract");
  try {
    return profileNamed(name, parsed, ALL_PATHS);
  } catch (error) {
    throw new ConfigurationError(`${prefix}${(error as Error).message}`);
  }
}
