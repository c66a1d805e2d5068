/** The headers of every request, and a check for settings that contain a key. */
import {
  configurationRows,
  type connectionRows,
  type SettingTable,
  type SettingValues,
} from "../schema/settings";
import { isLoopback, isProperties, jsonIn, type Properties, propertiesIn } from "../schema/value";
import { ConfigurationError } from "./errors";

type Values = SettingValues<typeof connectionRows>;

export type Headers = { readonly [name: string]: string };

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Users cannot set these headers, because the headers belong to the HTTP connection or the body. */
const CONNECTION_HEADER =
  /^(accept|connection|content-length|content-type|expect|host|keep-alive|transfer-encoding|upgrade)$/i;

function refuseBadHeaders(headers: Headers, place: string): void {
  for (const [name, content] of Object.entries(headers)) {
    if (typeof content !== "string")
      throw new ConfigurationError(
        "is not text; put it in quotes, or set it with `pulumi config set --path --type string`",
        `${place}.${name}`,
      );
    const isText = /^[\t\x20-\x7e\x80-\xff]*$/.test(content);
    if (!HEADER_NAME.test(name) || !isText)
      throw new ConfigurationError(
        "allowed: a JSON object that maps header names to strings without line breaks or other characters that a header cannot carry",
        place,
      );
    if (CONNECTION_HEADER.test(name))
      throw new ConfigurationError(`"${name}" belongs to the client itself`, place);
  }
}

const CONFIDENTIAL_HEADER = /auth|key|token|secret|cookie|password|credential/i;

function credentialHeaderNames(headers: Headers): string[] {
  return Object.keys(headers).filter((name) => CONFIDENTIAL_HEADER.test(name));
}

/** Removes the named headers in any letter case. A server would join the values of a header that is sent twice. */
function without(headers: Headers, names: readonly string[]): Headers {
  const lower = names.map((name) => name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !lower.includes(name.toLowerCase())));
}

type CredentialSettings = Pick<Values, "apiKey" | "authHeader" | "authScheme">;

/** The credential's header. Returns no header if there is no key or `authHeader` is `none`. */
function credentialOf(
  { apiKey, authHeader, authScheme }: CredentialSettings,
  place: (key: keyof CredentialSettings) => string,
): Headers {
  if (!HEADER_NAME.test(authHeader) || CONNECTION_HEADER.test(authHeader)) {
    throw new ConfigurationError(
      "allowed: the name of a header such as X-Api-Key, or none",
      place("authHeader"),
    );
  }
  if (apiKey === undefined || authHeader.toLowerCase() === "none") return {};
  // A line break would end the header's value, so the rest of the key would be lost or become another header.
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(apiKey)) {
    throw new ConfigurationError(
      "has a line break, a needless space or a letter that is not ASCII, so no header can carry it. Copy the key again",
      place("apiKey"),
    );
  }
  if (authScheme === undefined) return { [authHeader]: apiKey };
  if (!HEADER_NAME.test(authScheme)) {
    throw new ConfigurationError("allowed: one word such as Bearer", place("authScheme"));
  }
  return { [authHeader]: `${authScheme} ${apiKey}` };
}

/**
 * The headers of every request to the address, and the secrets among their values. Throws a ConfigurationError for
 * invalid headers, and for a credential that would travel over plain http to another machine.
 */
export function requestHeaders(
  address: string,
  settings: CredentialSettings & Pick<Values, "headers" | "allowInsecure">,
  place: (key: "address" | keyof Values) => string,
  areSecret = false,
): { headers: Headers; secrets: string[] } {
  const credential = credentialOf(settings, place);
  const { headers }: { headers: Headers } = settings;
  refuseBadHeaders(headers, place("headers"));
  const secretNames = areSecret ? Object.keys(headers) : credentialHeaderNames(headers);
  const secrets = [...Object.values(credential), ...secretNames.map((name) => headers[name] as string)];
  const isReadableInTransit = new URL(address).protocol !== "https:" && !isLoopback(address);
  if (secrets.length > 0 && isReadableInTransit && !settings.allowInsecure)
    throw new ConfigurationError(
      `${address} is plain http, so the key could be read in transit. Use https, or set ${place("allowInsecure")} to true`,
      place("address"),
    );
  return { headers: { ...without(headers, Object.keys(credential)), ...credential }, secrets };
}

const rows: SettingTable = configurationRows;

/** Whether the value is or contains a secret. `setting` names a setting of the provider or of one connection. */
export function holdsKey(setting: string, value: unknown): boolean {
  const secret = rows[setting]?.secret;
  if (secret === undefined || value === undefined) return false;
  if (secret === "always") return true;
  const members = typeof value === "string" ? jsonIn(value) : value;
  // A string that is not JSON may hold a key. A later check reports the string without quoting it.
  if (members === undefined) return true;
  if (typeof members !== "object" || members === null) return false;
  if (setting === "headers") return credentialHeaderNames({ ...members }).length > 0;
  return Object.values(members).some(
    (connection) =>
      isProperties(connection) && Object.entries(connection).some(([key, each]) => holdsKey(key, each)),
  );
}

/** Whether `headers` or `connections` has a header whose name does not suggest a credential. */
export function hasOtherHeaders(setting: "headers" | "connections", value: unknown): boolean {
  const members = objectIn(value);
  if (setting === "headers")
    return credentialHeaderNames(members as Headers).length < Object.keys(members).length;
  return Object.values(members).some((each) => hasOtherHeaders("headers", objectIn(each).headers));
}

/** The object itself, or the object in a JSON string; an empty object for any other value. */
function objectIn(value: unknown): Properties {
  const content = typeof value === "string" ? jsonIn(value) : value;
  return propertiesIn(content);
}

export const plaintextKeyMessage = (name: string): string =>
  `configuration ${name} holds a key but is not a secret: the state would hold it in plaintext. ` +
  `Set it again with \`pulumi config set --secret ${name}\``;
