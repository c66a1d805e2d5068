/** Secrets that show where nothing secret may: all of them start with a word that nothing else has. */
const CANARY = /canary-[a-z0-9-]+/g;

/** A sentence for each that a place shows. */
export function leaksIn(places: { readonly [place: string]: string }): { secret: string; words: string }[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...new Set(text.match(CANARY))].map((secret) => ({ secret, words: `${place} shows ${secret}` })),
  );
}

/** The engine's own notes of what it answers are beyond a provider. */
export const withoutDebugEvents = (events: string): string =>
  events
    .split("\n")
    .filter((line) => !/"severity":\s*"debug"/.test(line))
    .join("\n");
