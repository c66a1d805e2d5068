/** Finds the breaking changes between two public surfaces, and says which of them the changelog does not announce. */
import type { Surface } from "./surface";

interface Break {
  readonly place: string;
  readonly change: string;
}

const isOutput = (place: string): boolean => place.includes(" output ");
const bare = (type: string): string => type.replace(/!$/, "");
const isRequired = (type: string | undefined): boolean => type?.endsWith("!") === true;

/** The places that contain a place, such as the resource of an input; the innermost place is first. */
function ownersOf(place: string, surface: Surface): string[] {
  const words = place.split(" ");
  const prefixes = words.slice(1).map((_, index) => words.slice(0, words.length - 1 - index).join(" "));
  return prefixes.filter((prefix) => prefix in surface);
}

/** The removed places, except the places inside a removed place. */
function removals(before: Surface, now: Surface): Break[] {
  const places = Object.keys(before).filter((place) => !(place in now));
  return places
    .filter((place) => ownersOf(place, before).every((owner) => owner in now))
    .map((place) => ({ place, change: "removed" }));
}

function retypings(before: Surface, now: Surface): Break[] {
  return Object.entries(before).flatMap(([place, type]) => {
    const today = now[place];
    if (today === undefined || today === type) return [];
    if (bare(today) !== bare(type)) return [{ place, change: `was ${bare(type)}, is ${bare(today)}` }];
    if (isRequired(today) !== isOutput(place))
      return [{ place, change: isRequired(today) ? "now required" : "may now be absent" }];
    return [];
  });
}

/** The new places that are required. A required place inside a new place breaks no existing program. */
const newDemands = (before: Surface, now: Surface): Break[] =>
  Object.keys(now)
    .filter((place) => !(place in before) && isRequired(now[place]) && !isOutput(place))
    .filter((place) => (ownersOf(place, now)[0] ?? "") in before)
    .map((place) => ({ place, change: "new, required" }));

const hasValues = (place: string, surface: Surface): boolean =>
  Object.keys(surface).some((each) => each.startsWith(`${place} value `));

/** The arguments, settings and flags that used to take any value and now take only some values. */
const limits = (before: Surface, now: Surface): Break[] =>
  Object.keys(before)
    .filter((place) => !isOutput(place) && bare(now[place] ?? "") === bare(before[place] ?? ""))
    .filter((place) => !hasValues(place, before) && hasValues(place, now))
    .map((place) => ({ place, change: "takes only some values now" }));

/** A line for each change that breaks a program, script or reader that relies on `before`. */
export function breaksBetween(before: Surface, now: Surface): string[] {
  const breaks = [
    ...removals(before, now),
    ...retypings(before, now),
    ...newDemands(before, now),
    ...limits(before, now),
  ];
  return breaks.map(({ place, change }) => `${place}: ${change}`);
}

/**
 * The name of a place in the changelog, such as `Deployment.source`, `deployment-control:adopt` or `plan --format
 * html`.
 */
export function nameOf(place: string): string {
  const [kind = "", ...words] = place.split(" ");
  const nameWords = words.filter((word, index) => !(word === "value" && index === words.length - 2));
  if (kind === "command") return nameWords.join(" ");
  if (kind === "setting") return `deployment-control:${nameWords.join(" ")}`;
  if (kind === "state") return nameWords.join(".");
  const path = kind === "json" ? nameWords : [kind, ...nameWords];
  return path.filter((word, index) => index !== 1 || !/^(input|output|type)$/.test(word)).join(".");
}

/** The breaking changes that are not named in any changelog entry with the mark **Breaking**. */
export function unannounced(breaks: readonly string[], unreleased: string): string[] {
  const entries = unreleased.split(/\n(?=- |#)/).filter((entry) => entry.startsWith("- **Breaking**"));
  const names = new Set(
    entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
  );
  return breaks
    .filter((each) => !names.has(nameOf(each.slice(0, each.indexOf(": ")))))
    .map(
      (each) =>
        `${each}; keep it, or write an entry "- **Breaking** …" with \`${nameOf(each.slice(0, each.indexOf(": ")))}\``,
    );
}
