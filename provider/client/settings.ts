/** Single settings: each is what is allowed, or a ConfigurationError that names it. */

/** What a connection is made of. */
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

export type ConnectionKey = (typeof CONNECTION_KEYS)[number];

/** Every key of the configuration: the settings of the default connection, the other connections, and what is of no connection. */
export const CONFIGURATION_KEYS = [...CONNECTION_KEYS, "connections", "journal"] as const;

export const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** A setting that is missing or wrong; the message names it and says what to do. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

export function parseJson(place: string, words: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(words);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as { [name: string]: unknown };
  } catch {
    // Said below, without the words: they may hold keys.
  }
  throw new ConfigurationError(`${place}: is not a JSON object`);
}

export function textOf(value: unknown, place: string, fallback?: string): string {
  const text = value === undefined ? fallback : value;
  if (typeof text === "string" && text !== "") return text;
  throw new ConfigurationError(`${place}: allowed: a string that is not empty`);
}

export function oneOf<const V extends readonly string[]>(
  value: unknown,
  values: V,
  fallback: V[number],
  place: string,
): V[number] {
  if (value === undefined) return fallback;
  if (typeof value === "string" && values.includes(value)) return value;
  throw new ConfigurationError(`${place}: got ${JSON.stringify(value)}; allowed: ${values.join(", ")}`);
}

export function booleanOf(value: unknown, place: string): boolean {
  if (typeof value === "boolean") return value;
  return oneOf(value, ["true", "false"] as const, "false", place) === "true";
}

export function numberOf(
  value: unknown,
  fallback: number,
  minimum: number,
  place: string,
  maximum: number,
): number {
  const number = value === undefined ? fallback : asNumber(value);
  if (number >= minimum && number <= maximum) return number;
  throw new ConfigurationError(
    `${place}: got ${JSON.stringify(value)}; allowed: a number from ${minimum} to ${maximum}`,
  );
}

export function integerOf(value: unknown, fallback: number, minimum: number, place: string): number {
  const number = value === undefined ? fallback : asNumber(value);
  if (Number.isSafeInteger(number) && number >= minimum) return number;
  throw new ConfigurationError(
    `${place}: got ${JSON.stringify(value)}; allowed: an integer of at least ${minimum}`,
  );
}

function asNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}
