/** Finds secrets in places that must not show them. Only secrets start with this word. */
const CANARY = /canary-[a-z0-9-]+/g;

/** A sentence for each secret that a place shows. */
export function leaksIn(places: { readonly [place: string]: string }): { secret: string; words: string }[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...new Set(text.match(CANARY))].map((secret) => ({ secret, words: `${place} shows ${secret}` })),
  );
}

/** A provider cannot change the engine's own notes of its answers. */
export const withoutDebugEvents = (events: string): string =>
  events
    .split("\n")
    .filter((line) => !/"severity":\s*"debug"/.test(line))
    .join("\n");
