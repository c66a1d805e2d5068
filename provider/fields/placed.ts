/**
 * Messages with their place in front: a resource's label, an argument's path or a setting's name. Only the words are
 * masked: a secret may be spelled like the place.
 */

/** `deployment "chat": …`, `sourceConfig.buildOnPush: …`; the words alone if there is no place. */
export const withPlace = (place: string, words: string): string =>
  place === "" ? words : `${place}: ${words}`;

/** An error whose message begins with its place. */
export class PlacedError extends Error {
  constructor(
    readonly words: string,
    readonly place = "",
    cause?: unknown,
  ) {
    super(withPlace(place, words), cause === undefined ? undefined : { cause });
  }
}
