/** Masks secret values, in any of their spellings, in every text that leaves the process. */

import { escapeControls, unicodeEscapes } from "../fields/words";
import type { Words } from "../verdict/wording";

/** Values shorter than this are not masked, because they would mask parts of ordinary words. */
const SHORTEST = 4;
/** In a multi-line secret, such as a PEM key, each line of at least this length is also masked by itself. */
const SHORTEST_LINE = 16;
const MASK = "[secret]";

/** Spellings by their first letters, so that one pass over a text finds all secrets, however many there are. */
const byStart = new Map<string, Set<string>>();
const secretValues = new Set<string>();
/** Secrets without spellings yet. The next masking computes the spellings; most runs show no text and need none. */
const toSpell: string[] = [];
let longest = 0;

/** From now on, masks these values, and every string and number inside them. */
export function keepSecret(value: unknown): void {
  if (typeof value === "number") keepSecret(String(value));
  else if (typeof value === "string") {
    if (secretValues.has(value)) return;
    secretValues.add(value);
    toSpell.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) keepSecret(member);
  }
}

function spellOut(): void {
  for (const value of toSpell.splice(0)) {
    const trimmed = value.trim();
    if (trimmed.length < SHORTEST) continue;
    for (const spelling of [...spellings(value), ...spellings(trimmed)]) learn(spelling);
  }
}

function learn(spelling: string): void {
  const start = spelling.slice(0, SHORTEST);
  const siblings = byStart.get(start);
  if (siblings === undefined) byStart.set(start, new Set([spelling]));
  else siblings.add(spelling);
  longest = Math.max(longest, spelling.length);
}

/**
 * The text with every known secret masked. The provider's own wording is not masked, because it can equal a secret only
 * by chance.
 */
export function redacted(words: Words): string {
  return typeof words === "string" ? withoutSecrets(words) : words.masked(withoutSecrets);
}

/** Masks overlapping secrets together, so that no part of a secret is left. */
function withoutSecrets(text: string): string {
  spellOut();
  let output = "";
  let shownTo = 0;
  let hiddenTo = 0;
  for (let at = 0; at + SHORTEST <= text.length; at += 1) {
    const end = endOfSecret(text, at);
    if (end <= hiddenTo) continue;
    if (at >= hiddenTo) output += text.slice(shownTo, at) + MASK;
    hiddenTo = end;
    shownTo = end;
  }
  return output + text.slice(shownTo);
}

/** Whether the value contains a secret. */
export function holdsSecret(value: unknown): boolean {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text !== undefined && redacted(text) !== text;
}

const CUT = "…";

/** The end of the longest secret that begins at `at`; 0 if none begins there. */
function endOfSecret(text: string, at: number): number {
  const candidates = byStart.get(text.slice(at, at + SHORTEST));
  if (candidates === undefined) return 0;
  // The text may have been cut inside a secret, so the part of a secret before the cut is masked too.
  const cut = text.slice(at, at + longest).indexOf(CUT);
  const beginning = cut < SHORTEST ? undefined : text.slice(at, at + cut);
  let end = 0;
  for (const spelling of candidates) {
    if (text.startsWith(spelling, at)) end = Math.max(end, at + spelling.length);
    else if (beginning !== undefined && spelling.startsWith(beginning)) end = Math.max(end, at + cut);
  }
  return end;
}

function spellings(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  return [
    value,
    value.trim().replace(/\s+/g, " "),
    ...value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= SHORTEST_LINE),
    ...inJson(value),
    ...inAddresses(value),
    ...inHtml(value),
    ...inBase64(bytes),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

/**
 * Spellings of the value in a JSON string, and in a JSON string inside another JSON string. Other languages also escape
 * non-ASCII characters, or slashes.
 */
function inJson(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(/[\u007f-\uffff]/g, unicodeEscapes);
  const all = [json, ascii, json.replaceAll("/", "\\/"), escapeControls(value)];
  return [...all, ...all.map((spelling) => JSON.stringify(spelling).slice(1, -1))];
}

/** The value encoded for a path and for a form, with hex digits in upper and lower case. Some encoders keep slashes. */
function inAddresses(value: string): string[] {
  // Half a surrogate pair cannot be encoded; as bytes it becomes a replacement character.
  const encoded = encodeURIComponent(Buffer.from(value, "utf8").toString("utf8"));
  const whole = encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const all = [encoded, whole, encoded.replaceAll("%2F", "/"), form];
  return [...all, ...all.map((spelling) => spelling.replace(/%../g, (code) => code.toLowerCase()))];
}

/** The value with escaped markup: quotes in each spelling, and non-ASCII characters unchanged or as numbers. */
function inHtml(value: string): string[] {
  const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const double = text.replaceAll('"', "&quot;");
  const all = [text, double];
  for (const quote of ["&#39;", "&#x27;", "&#039;", "&apos;"]) {
    all.push(double.replaceAll("'", quote), text.replaceAll('"', "&#34;").replaceAll("'", quote));
  }
  const numbered = (sign: string) => `&#${sign.codePointAt(0)};`;
  return [...all, ...all.map((spelling) => spelling.replace(/\P{ASCII}/gu, numbered))];
}

/** The shortest part of a base64 text that is masked: shorter parts may appear in other text by chance. */
const SHORTEST_CORE = 8;

/**
 * The base64 text of the bytes alone, and, for bytes inside a longer message, the characters that neighboring bytes
 * cannot change.
 */
function inBase64(bytes: Buffer): string[] {
  const alone = bytes.toString("base64");
  const cores = [0, 1, 2].map((ahead) => {
    const shifted = Buffer.concat([Buffer.alloc(ahead), bytes]);
    const certain = Math.floor((shifted.length * 8) / 6);
    return shifted.toString("base64").slice(Math.ceil((ahead * 8) / 6), certain);
  });
  const whole = [alone, alone.replace(/=+$/, ""), ...cores.filter((core) => core.length >= SHORTEST_CORE)];
  return [...whole, ...whole.map((spelling) => spelling.replaceAll("+", "-").replaceAll("/", "_"))];
}
