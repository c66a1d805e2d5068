/**
 * Messages with their place in front: the label of a resource, the path of an argument or the name of a setting. A secret
 * may be spelled like it, so what is shown has the words masked and the place as it is.
 */

/** `deployment "chat": …`, `sourceConfig.buildOnPush: …`; the words alone where there is no place. */
export const placed = (place: string, words: string): string => (place === "" ? words : `${place}: ${words}`);

/** An error whose message tells its place first. */
export class PlacedError extends Error {
  constructor(
    readonly words: string,
    readonly place = "",
    cause?: unknown,
  ) {
    super(placed(place, words), cause === undefined ? undefined : { cause });
  }
}
