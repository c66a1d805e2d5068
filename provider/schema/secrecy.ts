/** Masks secrets in strings from outside, as soon as the strings are read. The provider's own wording is not masked. */

import { UNKNOWN } from "./value";
import { escapeControls, unicodeEscapes } from "./words";

/** Values shorter than this are not masked, because masking them would damage ordinary words. */
const SHORTEST = 8;
/** In a multi-line secret, such as a PEM key, each line of at least this length is also masked separately. */
const SHORTEST_LINE = 16;
const MASK = "[secret]";

/** Spellings of secrets, by their first characters, so that one pass over a string finds all secrets. */
const byStart = new Map<string, Set<string>>();
const secretValues = new Set<string>();
/** Secrets whose spellings are computed when a string is next masked. Most runs never mask a string. */
const toSpell: string[] = [];

/** From now on, masks these values, and every string and number inside them. */
export function keepSecret(value: unknown): void {
  if (typeof value === "number") keepSecret(String(value));
  else if (typeof value === "string") {
    // The sentinel for an unknown value is never a secret, even in a secret row.
    if (value === UNKNOWN || secretValues.has(value)) return;
    secretValues.add(value);
    toSpell.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) keepSecret(member);
  }
}

/** Masks every known secret in the string. Overlapping secrets are masked together, so that no part stays visible. */
export function redacted(text: string): string {
  for (const value of toSpell.splice(0)) for (const spelling of spellings(value)) learn(spelling);
  let output = "";
  let shownTo = 0;
  for (let at = 0; at + SHORTEST <= text.length; at += 1) {
    const end = endOfSecret(text, at);
    if (end <= shownTo) continue;
    if (at >= shownTo) output += text.slice(shownTo, at) + MASK;
    shownTo = end;
  }
  return output + text.slice(shownTo);
}

/** Makes a string from outside safe to print: one line, without effect in a terminal, and with every secret masked. */
export const printable = (text: unknown): string => escapeControls(redacted(String(text)));

export function holdsSecret(value: unknown): boolean {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text !== undefined && redacted(text) !== text;
}

function learn(spelling: string): void {
  const start = spelling.slice(0, SHORTEST);
  byStart.set(start, (byStart.get(start) ?? new Set()).add(spelling));
}

/** The end of the longest secret that begins at `at`; 0 if there is none. */
function endOfSecret(text: string, at: number): number {
  let end = 0;
  for (const spelling of byStart.get(text.slice(at, at + SHORTEST)) ?? [])
    if (text.startsWith(spelling, at)) end = Math.max(end, at + spelling.length);
  return end;
}

/** Every encoding of the value, with and without the blanks around it; the value on one line; and its long lines. */
function spellings(value: string): string[] {
  const trimmed = value.trim();
  if (trimmed.length < SHORTEST) return [];
  const lines = value.split("\n").map((line) => line.trim());
  const oneLine = trimmed.replace(/\s+/g, " ");
  return [
    ...encodings(value),
    ...encodings(trimmed),
    oneLine,
    ...lines.filter((line) => line.length >= SHORTEST_LINE),
  ];
}

/** The value unchanged, escaped, and encoded for JSON, a URL, a form and base64. */
function encodings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const bytes = Buffer.from(value, "utf8");
  // `encodeURIComponent` throws for half a surrogate pair. The bytes have a replacement character in its place.
  const address = encodeURIComponent(bytes.toString("utf8"));
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const escaped = [address, address.replaceAll("%2F", "/"), form];
  return [
    value,
    escapeControls(value),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[\u007f-\uffff]/g, unicodeEscapes),
    ...escaped,
    ...escaped.map((spelling) => spelling.replace(/%../g, (code) => code.toLowerCase())),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
}
