/** Finds secrets in places that must not show them. Every secret, and no other value, starts with `canary-`. */
const CANARY = /canary-[a-z0-9-]+/g;

/** Matches the end of a URN. In states and events, a resource's URN comes before the resource's values. */
const URN = /::([a-z]+-\d[\w-]*)"/g;

export interface Leak {
  readonly secret: string;
  /** The name in the last URN before the secret; empty if no URN comes before the secret. */
  readonly name: string;
  readonly words: string;
}

/**
 * The secrets that the strings show. If a string shows a secret several times for the same resource, the secret is
 * listed once.
 */
export function leaksIn(places: { readonly [place: string]: string }): Leak[] {
  return Object.entries(places).flatMap(([place, text]) => {
    const leaks = [...text.matchAll(CANARY)].map(({ 0: secret, index }) => {
      const name = [...text.slice(0, index).matchAll(URN)].at(-1)?.[1] ?? "";
      return { secret, name, words: `${place} shows ${secret}${name === "" ? "" : `, after ${name}`}` };
    });
    const first = (leak: Leak) => leaks.find(({ words }) => words === leak.words);
    return leaks.filter((leak) => first(leak) === leak && !isReadInTheOpen(leak));
  });
}

/**
 * A build command that one resource sends as a secret. The service shows the command to every resource that reads the
 * deployment.
 */
export const SECRET_COMMAND = "canary-command";

const isReadInTheOpen = ({ secret, name }: Leak): boolean =>
  secret === SECRET_COMMAND && name.startsWith("reader-");

/**
 * The engine's events without the debug events. The engine records each answer from a provider in a debug event, so no
 * provider can keep a secret out of the debug events.
 */
export const withoutDebugEvents = (events: string): string =>
  events
    .split("\n")
    .filter((line) => !/"severity":\s*"debug"/.test(line))
    .join("\n");
