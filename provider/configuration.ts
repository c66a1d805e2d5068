/**
 * The configuration: which service, with which credential, under which profile.
 *
 * Environment variables win over the stack's configuration, since on refresh and destroy the engine hands over the
 * configuration of the last `up`: a rotated key or a moved service would not be seen.
 */
import { deploymentRows } from "./fields/deployment";
import type { Rows } from "./fields/kind";
import { listenerRows } from "./fields/listener";
import { type Profile, profileNamed } from "./profiles";

export const NAMESPACE = "deploymentControl";

/** Reads one key of the namespace, such as `baseUrl`. */
export type ConfigurationSource = (key: string) => string | undefined;

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
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
}

/** A setting that is missing or wrong; the message names it and says what to do. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

export const CONNECTION_KEYS = [
  "baseUrl",
  "apiKey",
  "authHeader",
  "authScheme",
  "headers",
  "profile",
  "profileOverrides",
  "newRevisions",
  "adopt",
  "requestTimeoutSeconds",
  "maxRetries",
  "maxConcurrency",
  "allowInsecure",
] as const;

type Key = (typeof CONNECTION_KEYS)[number];
type Settings = { readonly [key in Key]?: unknown };

const ALL_PATHS: ReadonlySet<string> = new Set([...pathsOf(deploymentRows), ...pathsOf(listenerRows)]);

function pathsOf(rows: Rows, prefix = ""): string[] {
  return Object.entries(rows).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...(field.kind.type === "object" ? pathsOf(field.kind.rows, `${prefix}${name}.`) : []),
  ]);
}

/** `baseUrl` -> `DEPLOYMENT_CONTROL_BASE_URL`. */
export function environmentName(key: string): string {
  return `DEPLOYMENT_CONTROL_${key.replace(/([A-Z])/g, "_$1").toUpperCase()}`;
}

/** The default connection, or the one of that name under `connections`. */
export function connectionFrom(
  source: ConfigurationSource,
  environment: NodeJS.ProcessEnv,
  name: string | undefined,
): Connection {
  const read = (key: string): string | undefined =>
    nonEmpty(environment[environmentName(key)]) ?? nonEmpty(source(key));
  if (name === undefined)
    return connectionOf(undefined, Object.fromEntries(CONNECTION_KEYS.map((key) => [key, read(key)])));
  const connections = parseJson("connections", read("connections") ?? "{}");
  const names = Object.keys(connections);
  const settings = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (typeof settings !== "object" || settings === null) {
    const known = names.length === 0 ? "none is configured" : `allowed: ${names.join(", ")}`;
    throw new ConfigurationError(
      `connection: got "${name}"; ${known}. Add it to the JSON of ${settingName("connections")}`,
    );
  }
  const stranger = Object.keys(settings).find((key) => !(CONNECTION_KEYS as readonly string[]).includes(key));
  if (stranger !== undefined) {
    throw new ConfigurationError(
      `connections.${name}: "${stranger}" is not a setting; allowed: ${CONNECTION_KEYS.join(", ")}`,
    );
  }
  return connectionOf(name, settings);
}

function connectionOf(name: string | undefined, settings: Settings): Connection {
  const place = (key: Key): string => (name === undefined ? key : `connections.${name}.${key}`);
  const baseUrl = baseUrlOf(settings.baseUrl, place("baseUrl"), name);
  const credential = credentialOf(settings, place);
  if (credential !== undefined) refuseOpenLine(baseUrl, settings.allowInsecure, place);
  const extra = headersOf(settings.headers, place("headers"));
  return {
    name,
    baseUrl,
    headers: { ...extra, ...credential },
    profile: profileOf(settings, name),
    newRevisions: oneOf(settings.newRevisions, ["allow", "forbid"] as const, "allow", place("newRevisions")),
    adopt: booleanOf(settings.adopt, place("adopt")),
    requestTimeoutSeconds: numberOf(settings.requestTimeoutSeconds, 30, 1, place("requestTimeoutSeconds")),
    maxRetries: numberOf(settings.maxRetries, 4, 0, place("maxRetries")),
    maxConcurrency: numberOf(settings.maxConcurrency, 16, 1, place("maxConcurrency")),
    secrets: [settings.apiKey, ...Object.values(credential ?? {})].filter(
      (value) => typeof value === "string",
    ),
  };
}

function baseUrlOf(value: unknown, place: string, name: string | undefined): string {
  if (value === undefined) {
    const how =
      name === undefined
        ? `run \`pulumi config set ${NAMESPACE}:baseUrl https://…\` or set ${environmentName("baseUrl")}`
        : `give it in the JSON of ${settingName("connections")}`;
    throw new ConfigurationError(`${place} is not set: there is no default service. To set it, ${how}`);
  }
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    throw new ConfigurationError(
      `${place}: got ${JSON.stringify(value)}; allowed: an http or https address without query, such as https://host.example/api`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(
      `${place}: holds a user or password; give the credential as ${NAMESPACE}:apiKey`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

function credentialOf(
  settings: Settings,
  place: (key: Key) => string,
): { [name: string]: string } | undefined {
  const header = textOf(settings.authHeader, "X-Api-Key", place("authHeader"));
  if (settings.apiKey === undefined || header.toLowerCase() === "none") return undefined;
  const key = textOf(settings.apiKey, "", place("apiKey"));
  // A header's value ends at a line break: a key with one would be cut, or smuggle in a header.
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) {
    throw new ConfigurationError(
      `${place("apiKey")}: has characters that a header cannot carry (line break, blank end)`,
    );
  }
  const scheme =
    settings.authScheme === undefined ? "" : `${textOf(settings.authScheme, "", place("authScheme"))} `;
  return { [header]: `${scheme}${key}` };
}

function refuseOpenLine(baseUrl: string, allowInsecure: unknown, place: (key: Key) => string): void {
  const { protocol, hostname } = new URL(baseUrl);
  const loopback = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === "https:" || loopback || booleanOf(allowInsecure, place("allowInsecure"))) return;
  throw new ConfigurationError(
    `${place("baseUrl")}: ${baseUrl} is plain http, over which the key could be read on its way. Use https, or set ${place("allowInsecure")} to true`,
  );
}

function profileOf(settings: Settings, name: string | undefined): Profile {
  const where = name === undefined ? "" : `connections.${name}.`;
  try {
    const overrides = settings.profileOverrides;
    const parsed = typeof overrides === "string" ? parseJson("profileOverrides", overrides) : overrides;
    return profileNamed(textOf(settings.profile, "contract", "profile"), parsed, ALL_PATHS);
  } catch (error) {
    throw new ConfigurationError(`${where}${(error as Error).message}`);
  }
}

function headersOf(value: unknown, place: string): { [name: string]: string } {
  const headers = typeof value === "string" ? parseJson(place, value) : (value ?? {});
  for (const [name, content] of Object.entries(headers as object)) {
    if (
      !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ||
      typeof content !== "string" ||
      /[\r\n\0]/.test(content)
    ) {
      throw new ConfigurationError(
        `${place}: allowed: a JSON object from header names to strings without line breaks`,
      );
    }
  }
  return headers as { [name: string]: string };
}

function parseJson(place: string, words: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(words);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as { [name: string]: unknown };
  } catch {
    // Said below, without the words: they may hold keys.
  }
  throw new ConfigurationError(`${place}: is not a JSON object`);
}

function textOf(value: unknown, fallback: string, place: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string" && value !== "") return value;
  throw new ConfigurationError(`${place}: allowed: a string that is not empty`);
}

function oneOf<const V extends readonly string[]>(
  value: unknown,
  values: V,
  fallback: V[number],
  place: string,
): V[number] {
  if (value === undefined) return fallback;
  if (typeof value === "string" && values.includes(value)) return value;
  throw new ConfigurationError(`${place}: got ${JSON.stringify(value)}; allowed: ${values.join(", ")}`);
}

function booleanOf(value: unknown, place: string): boolean {
  if (typeof value === "boolean") return value;
  return oneOf(value, ["true", "false"] as const, "false", place) === "true";
}

function numberOf(value: unknown, fallback: number, minimum: number, place: string): number {
  if (value === undefined) return fallback;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number) && number >= minimum) return number;
  throw new ConfigurationError(
    `${place}: got ${JSON.stringify(value)}; allowed: a number of at least ${minimum}`,
  );
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

function settingName(key: string): string {
  return `${NAMESPACE}:${key} (or ${environmentName(key)})`;
}
