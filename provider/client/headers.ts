/** The headers that every request carries: the credential and those that the settings add. */
import { ConfigurationError, parseJson, textOf } from "./settings";

export type Headers = { readonly [name: string]: string };

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that belong to the connection or the body, which is not the user's to shape. */
const CONNECTION_HEADERS = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

export function headersOf(value: unknown, place: string): Headers {
  const headers = typeof value === "string" ? parseJson(place, value) : (value ?? {});
  if (typeof headers !== "object" || Array.isArray(headers))
    throw new ConfigurationError(`${place}: is not a JSON object`);
  for (const [name, content] of Object.entries(headers)) {
    if (
      !HEADER_NAME.test(name) ||
      typeof content !== "string" ||
      !/^[\t\x20-\x7e\x80-\xff]*$/.test(content)
    ) {
      throw new ConfigurationError(
        `${place}: allowed: a JSON object from header names to strings without line breaks and other characters that a header cannot carry`,
      );
    }
    if (CONNECTION_HEADERS.has(name.toLowerCase()))
      throw new ConfigurationError(`${place}: "${name}" is set by the client itself and cannot be given`);
  }
  return headers as Headers;
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

export interface CredentialSettings {
  readonly apiKey?: unknown;
  readonly authHeader?: unknown;
  readonly authScheme?: unknown;
}

/** The header of the credential; none without a key, or where the header is `none`. */
export function credentialOf(
  settings: CredentialSettings,
  place: (key: keyof CredentialSettings) => string,
): Headers {
  const header = textOf(settings.authHeader, place("authHeader"), "X-Api-Key");
  if (!HEADER_NAME.test(header) || CONNECTION_HEADERS.has(header.toLowerCase())) {
    throw new ConfigurationError(
      `${place("authHeader")}: allowed: the name of a header such as X-Api-Key, or none`,
    );
  }
  if (settings.apiKey === undefined || header.toLowerCase() === "none") return {};
  const key = textOf(settings.apiKey, place("apiKey"));
  // A header's value ends at a line break: a key with one would be cut, or smuggle in a header.
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) {
    throw new ConfigurationError(
      `${place("apiKey")}: has characters that a header cannot carry (line break, blank end)`,
    );
  }
  if (settings.authScheme === undefined) return { [header]: key };
  const scheme = textOf(settings.authScheme, place("authScheme"));
  if (!HEADER_NAME.test(scheme)) {
    throw new ConfigurationError(`${place("authScheme")}: allowed: one word such as Bearer`);
  }
  return { [header]: `${scheme} ${key}` };
}
