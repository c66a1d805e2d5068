/** Keeps secret values out of every text that leaves the process, in whatever spelling they come back. */
import { isProperties, type Properties } from "./fields/value";
import { SECRET_PATHS } from "./identity";

/** Shorter values would black out ordinary words; they are too short to be a secret. */
const SHORTEST = 4;
/** A line of a longer secret, such as of a key in PEM. */
const SHORTEST_LINE = 16;
const MASK = "[secret]";

const known = new Set<string>();

/** From now on these values, and every string within them, are masked. */
export function keepSecret(value: unknown): void {
  if (typeof value === "string") {
    const trimmed = value.trim();
    if (trimmed.length < SHORTEST) return;
    for (const spelling of [...spellings(value), ...spellings(trimmed)]) known.add(spelling);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) keepSecret(member);
  }
}

/** The values that the program marked secret, wherever they stand. */
export function markedIn(properties: Properties): unknown[] {
  const paths = properties[SECRET_PATHS];
  return Array.isArray(paths) ? paths.flatMap((path) => valuesAt(properties, String(path))) : [];
}

/** Every value that a dotted path may mean: a key may hold dots itself. */
function valuesAt(value: unknown, path: string): unknown[] {
  if (!isProperties(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === path) return [member];
    return path.startsWith(`${name}.`) ? valuesAt(member, path.slice(name.length + 1)) : [];
  });
}

/** The text with every known secret masked. */
export function redacted(text: string): string {
  let result = text;
  // Longest first: a secret that is part of another must not leave the other's rest behind.
  for (const spelling of [...known].sort((a, b) => b.length - a.length)) {
    if (result.includes(spelling)) result = result.replaceAll(spelling, MASK);
    if (result.includes(CUT)) result = withoutBeginning(result, spelling);
  }
  return result;
}

const CUT = "…";

/** Long words were cut before they came here: what stands of a secret before the cut is masked too. */
function withoutBeginning(text: string, spelling: string): string {
  return text
    .split(CUT)
    .map((words, index, all) => (index < all.length - 1 ? endMasked(words, spelling) : words))
    .join(CUT);
}

function endMasked(words: string, spelling: string): string {
  for (let length = Math.min(spelling.length - 1, words.length); length >= SHORTEST; length -= 1) {
    if (words.endsWith(spelling.slice(0, length))) return words.slice(0, -length) + MASK;
  }
  return words;
}

function spellings(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const quoted = JSON.stringify(value).slice(1, -1);
  const trimmed = value.trim();
  return [
    value,
    ...(trimmed.length >= SHORTEST ? [trimmed, trimmed.replace(/\s+/g, " ")] : []),
    ...value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= SHORTEST_LINE),
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}
