/** The effect of a change to a field in each profile, for the class table and for a column on each page. */

import { classAt, type Effect } from "../../../provider/diff/changes";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import type { Field } from "../../../provider/schema/kind";
import type { Placed } from "./fields";

const WORDS: { readonly [effect in Effect]: string } = {
  replace: "replaced",
  newRevision: "**new revision**",
  mayRevise: "may create a revision",
  inPlace: "in place",
  kept: "kept by the service",
};

/** A field without a change class has the effect of the field that contains it. */
function effectIn(profile: Profile, { path, field, within }: Omit<Placed, "name">): Effect {
  const effect = profile.classes[path];
  if (effect !== undefined) return effect;
  if (field.class === undefined && within !== undefined) return effectIn(profile, within);
  return classAt(path, field as Field<unknown>, profile);
}

export const effectWords = (effect: Effect, isSent: boolean): string =>
  `${WORDS[effect]}${!isSent && effect === "inPlace" ? ", no request" : ""}`;

/**
 * An effect that all profiles share appears once. If the fields of an object have different effects, the object's own
 * row refers to the rows of its fields.
 */
export function changeOf(placed: Placed): string {
  if (placed.field.group || hasClassesWithin(placed)) return "by field, below";
  const isSent = rootOf(placed).field.wire !== undefined;
  const words = Object.values(PROFILES).map((profile) =>
    profile.lacks.includes(placed.path) ? "-" : effectWords(effectIn(profile, placed), isSent),
  );
  const [first] = words as [string];
  if (words.every((each) => each === first)) return first;
  return Object.keys(PROFILES)
    .map((name, index) => `${name}: ${words[index]}`)
    .join("; ");
}

const rootOf = (placed: Placed): Placed => (placed.within === undefined ? placed : rootOf(placed.within));

const hasClassesWithin = ({ path }: Placed): boolean =>
  Object.values(PROFILES).some(({ classes }) =>
    Object.keys(classes).some((place) => place.startsWith(`${path}.`)),
  );
