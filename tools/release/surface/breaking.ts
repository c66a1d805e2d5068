/** Compares two surfaces: what breaks programs, scripts or readers, and whether the changelog names it. */
import type { Part, Surface } from "./today";

export interface Breaking {
  readonly name: string;
  /** The change, such as `is removed`. */
  readonly change: string;
}

/** `Deployment` for `Deployment.displayName`, `plan --format` for `plan --format json`; undefined for a top name. */
const ownerOf = (name: string): string | undefined => name.match(/^(.+)[. ][^. ]+$/)?.[1];

const isRequired = (type: string | undefined): boolean => type?.endsWith("!") === true;
const plain = (type: string): string => type.replace(/!$/, "");

/** What is removed with its owner is said once. */
function removed(before: Part, after: Part): Breaking[] {
  const isGone = (name: string | undefined): boolean =>
    name !== undefined && before[name] !== undefined && after[name] === undefined;
  const names = Object.keys(before).filter((name) => isGone(name) && !isGone(ownerOf(name)));
  return names.map((name) => ({ name, change: "is removed" }));
}

function retyped(before: Part, after: Part): Breaking[] {
  return Object.entries(before).flatMap(([name, type]) => {
    const now = after[name];
    if (now === undefined || plain(now) === plain(type)) return [];
    return [{ name, change: `was ${plain(type)} and is ${plain(now)}` }];
  });
}

/** A new property is no break if all of its owner is new. */
const newlyRequired = (before: Part, after: Part): Breaking[] =>
  Object.keys(after)
    .filter((name) => isRequired(after[name]) && !isRequired(before[name]))
    .filter((name) => before[name] !== undefined || before[ownerOf(name) ?? name] !== undefined)
    .map((name) => ({ name, change: "is required now" }));

const noLongerSure = (before: Part, after: Part): Breaking[] =>
  Object.keys(before)
    .filter((name) => after[name] !== undefined && isRequired(before[name]) && !isRequired(after[name]))
    .map((name) => ({ name, change: "may be left out now" }));

/** A change of a property that is both given and read is said once. */
export function breakingChanges(before: Surface, after: Surface): Breaking[] {
  const inBoth = (["given", "read"] as const).flatMap((part) => [
    ...removed(before[part], after[part]),
    ...retyped(before[part], after[part]),
  ]);
  const changes = [
    ...inBoth,
    ...newlyRequired(before.given, after.given),
    ...noLongerSure(before.read, after.read),
  ];
  return [...new Map(changes.map((each) => [`${each.name} ${each.change}`, each])).values()];
}

export const MARKER = "**Breaking:**";

/** The names in code in the unreleased entries that begin with the marker. */
function announced(changelog: string): ReadonlySet<string> {
  const [, after = ""] = changelog.split("## [Unreleased]\n");
  const [unreleased = ""] = after.split(/^## /m);
  const entries = unreleased.split(/^- /m).filter((entry) => entry.startsWith(MARKER));
  // The text of a heading below the entry is not part of it.
  const texts = entries.map((entry) => entry.split(/^#/m)[0] as string);
  return new Set(texts.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)));
}

/** A line for each breaking change that the changelog does not announce, with what to do. */
export function unannounced(before: Surface, after: Surface, changelog: string): string[] {
  const names = announced(changelog);
  return breakingChanges(before, after)
    .filter(({ name }) => !names.has(name))
    .map(
      ({ name, change }) =>
        `${name} ${change}: keep it, or write under [Unreleased] in CHANGELOG.md an entry "- ${MARKER} …" with \`${name}\` in it`,
    );
}
