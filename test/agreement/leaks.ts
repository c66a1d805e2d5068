/** Secrets that show where nothing secret may: all of them start with a word that nothing else has. */
const CANARY = /canary-[a-z0-9-]+/g;

/** The places that show one. */
export function leaksIn(places: { readonly [place: string]: string }): string[] {
  return Object.entries(places).flatMap(([place, text]) => {
    const found = [...new Set(text.match(CANARY))];
    return found.length === 0 ? [] : [`${place} shows ${found.join(", ")}`];
  });
}

/** The engine's own notes of what it answers are beyond a provider. */
export const withoutDebugEvents = (events: string): string =>
  events
    .split("\n")
    .filter((line) => !/"severity":\s*"debug"/.test(line))
    .join("\n");
