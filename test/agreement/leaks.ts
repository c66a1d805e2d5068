/** Finds secrets in places that must not show them. Every secret starts with the word below, and nothing else does. */
const CANARY = /canary-[a-z0-9-]+/g;

/** The end of a URN. In a state and in events, a resource's URN comes before its values. */
const URN = /::([a-z]+-\d[\w-]*)"/g;

export interface Leak {
  readonly secret: string;
  /** The resource whose URN comes last before the secret; empty if there is none. */
  readonly name: string;
  readonly words: string;
}

/** The secrets that a place shows, each once for each resource. */
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

/** A command that the service shows to every reader, although another resource gave it as a secret. */
export const SECRET_COMMAND = "canary-command";

const isReadInTheOpen = ({ secret, name }: Leak): boolean =>
  secret === SECRET_COMMAND && name.startsWith("reader-");

/** A provider cannot change the engine's own notes of its answers. */
export const withoutDebugEvents = (events: string): string =>
  events
    .split("\n")
    .filter((line) => !/"severity":\s*"debug"/.test(line))
    .join("\n");
