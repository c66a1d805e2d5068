/** Checks settings against their table rows, and checks addresses. A ConfigurationError names a bad setting. */
import { issuesIn, SETTINGS, schemaOf } from "../schema/check";
import { jsonObject } from "../schema/kind";
import type { Setting, SettingTable, SettingValues } from "../schema/settings";
import { type Properties, valueOfText } from "../schema/value";
import { suggestion } from "../schema/words";
import { ConfigurationError } from "./errors";

/** The origin of the settings, for error messages. */
export interface Origin {
  /** The prefix of setting names in messages, such as `connections.eu.`. */
  readonly prefix: string;
  readonly howToSet: string;
}

/** Throws a ConfigurationError for the first unknown name. */
export function refuseUnknown(
  names: readonly string[],
  knownNames: readonly string[],
  prefix: string,
  what: "a setting" | "an option",
): void {
  const stray = names.find((name) => !knownNames.includes(name));
  if (stray !== undefined)
    throw new ConfigurationError(`is not ${what}; ${suggestion(stray, knownNames)}`, `${prefix}${stray}`);
}

/** The checked settings or their defaults. Throws a ConfigurationError, which never shows a key. */
export function settingsIn<const R extends SettingTable>(
  rows: R,
  settings: object,
  { prefix, howToSet }: Origin,
): SettingValues<R> {
  const values = Object.entries(rows).map(([key, setting]) => {
    const value = (settings as Properties)[key];
    if (value === undefined && setting.required)
      throw new ConfigurationError(
        `there is no default service. To set it, ${howToSet}`,
        `${prefix}${key} is not set`,
      );
    return [key, settingValue(setting, value, `${prefix}${key}`)];
  });
  return Object.fromEntries(values) as SettingValues<R>;
}

/** The checked value of a setting, or its default. An environment variable gives the value as a string. */
export function settingValue<T>({ kind, default: fallback }: Setting<T>, value: unknown, place: string) {
  return (value === undefined ? fallback : checkedValue(kind, value, place)) as T;
}

function checkedValue(kind: Setting<unknown>["kind"], value: unknown, place: string): unknown {
  if (kind.type === "address") return addressOf(value, place);
  const isObject = kind.type === "map" || kind.type === "jsonObject";
  const content = typeof value === "string" ? valueOfText(kind, value) : value;
  // Other code checks the contents of the headers and of each connection.
  const [issue] = issuesIn(schemaOf(isObject ? jsonObject : kind, SETTINGS), content);
  if (issue === undefined) return content;
  // The errors quote neither strings nor objects, because both may contain a key.
  if (isObject) throw new ConfigurationError("is not a JSON object", place);
  const quote = kind.type === "text" ? "" : `got ${JSON.stringify(value)}; `;
  throw new ConfigurationError(`${quote}allowed: ${issue.message}`, place);
}

/** The address without a trailing slash. Throws a ConfigurationError, which never shows a key. */
export function addressOf(value: unknown, place: string): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== "")) {
    throw new ConfigurationError("holds a user or password; set the credential as apiKey", place);
  }
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url !== undefined && isHttp && url.search === "" && url.hash === "")
    return url.href.replace(/\/+$/, "");
  throw new ConfigurationError(
    `got ${shownAddress(value)}; allowed: an http or https address without a query, such as https://host.example/api`,
    place,
  );
}

/** A refused address, without the parts that may contain a credential. */
function shownAddress(value: unknown): string {
  const words = typeof value === "string" ? value.replace(/\?.*/s, "?…").replace(/\/\/.*@/s, "//…@") : value;
  return JSON.stringify(words);
}
