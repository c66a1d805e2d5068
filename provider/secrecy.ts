/** Keeps secret values out of every text that leaves the process, in whatever spelling they come back. */

/** Shorter values would black out ordinary words; they are too short to be a secret. */
const SHORTEST = 4;
const MASK = "[secret]";

const known = new Set<string>();

/** From now on these values, and every string within them, are masked. */
export function keepSecret(value: unknown): void {
  if (typeof value === "string") {
    if (value.length >= SHORTEST) for (const spelling of spellings(value)) known.add(spelling);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) keepSecret(member);
  }
}

/** The text with every known secret masked. */
export function redacted(text: string): string {
  let result = text;
  // Longest first: a secret that is part of another must not leave the other's rest behind.
  for (const spelling of [...known].sort((a, b) => b.length - a.length)) {
    if (result.includes(spelling)) result = result.replaceAll(spelling, MASK);
  }
  return result;
}

function spellings(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const quoted = JSON.stringify(value).slice(1, -1);
  const trimmed = value.trim();
  return [
    value,
    ...(trimmed.length >= SHORTEST ? [trimmed] : []),
    quoted,
    JSON.stringify(quoted).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}
