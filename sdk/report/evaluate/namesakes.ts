/** Distinguishes resources with the same name, which differ in their type or in the types of their parents. */
import { typeIn, typesIn } from "../../../provider/schema/naming";
import type { Report, ResourceReport, Result } from "../model";

export const resourcesIn = ({ deployments, listeners }: Report): ResourceReport[] => [
  ...deployments,
  ...listeners,
];

interface Named {
  readonly urn: string;
  readonly name: string;
}

const lastPart = (type: string): string => type.slice(type.lastIndexOf(":") + 1);

/** Texts that may distinguish two resources with the same name; the shortest text comes first. */
const DISTINCTIONS: readonly ((urn: string) => string)[] = [
  (urn) => typesIn(urn).split("$").slice(0, -1).map(lastPart).join(" > ") || "no parent",
  (urn) => lastPart(typeIn(urn)),
  typesIn,
];

/** The resources by name. */
export function byName(resources: readonly Named[]): ReadonlyMap<string, readonly Named[]> {
  const namesakes = new Map<string, Named[]>();
  for (const each of resources) namesakes.set(each.name, [...(namesakes.get(each.name) ?? []), each]);
  return namesakes;
}

/** Returns a function that names a resource: `chat`, or `chat (Team)` if another resource has the same name. */
function shownNames(resources: readonly Named[]): (resource: Named) => string {
  const namesakes = byName(resources);
  return ({ urn, name }) => {
    const urns = (namesakes.get(name) ?? []).map((each) => each.urn);
    if (urns.length < 2) return name;
    const isEnough = (distinction: (urn: string) => string) =>
      new Set(urns.map(distinction)).size === urns.length;
    return `${name} (${(DISTINCTIONS.find(isEnough) ?? typesIn)(urn)})`;
  };
}

/** The report with a distinct name for each resource. */
export function namedApart(report: Report): Report {
  const labelOf = shownNames(resourcesIn(report));
  const renamed = <R extends Named>(resources: readonly R[]): R[] =>
    resources.map((each) => ({ ...each, name: labelOf(each) }));
  return { ...report, deployments: renamed(report.deployments), listeners: renamed(report.listeners) };
}

/** The result with a distinct name for each deployment. */
export function outcomesApart(result: Result): Result {
  const labelOf = shownNames(result.outcomes);
  return { ...result, outcomes: result.outcomes.map((each) => ({ ...each, name: labelOf(each) })) };
}
