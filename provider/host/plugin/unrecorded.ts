/**
 * Records which secret values are missing from the state after a failed update: the engine keeps the inputs from before
 * the update, and the plugin's outputs hold no secret. Without this record, the next plan would mistake the old values
 * for the values on the service.
 */
import { sameValue } from "../../fields/compare";
import { isProperties, type Properties, propertiesIn, valueAt, withValueAt } from "../../fields/value";
import { HELD } from "../../verdict/describe";
import type { ValuePath } from "../marks";
import { outsideLists } from "./wire";

type Place = readonly string[];

/** The name of the note in a resource's outputs. */
const NOTE = "unrecorded";

/** The note that lists hidden places whose values differ between the outputs and the inputs that the engine keeps. */
export function unrecordedNote(
  outputs: Properties,
  oldInputs: Properties,
  hidden: readonly ValuePath[],
): Properties {
  const places = hidden
    .map(outsideLists)
    .flatMap((place) => [outputs, oldInputs].flatMap((values) => leavesAt(valueAt(values, place), place)))
    .filter((place) => !sameValue(valueAt(outputs, place), valueAt(oldInputs, place)));
  const different = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  const isSent = (place: Place): boolean => valueAt(outputs, place) !== undefined;
  const [sent, removed] = [different.filter(isSent), different.filter((place) => !isSent(place))];
  return different.length === 0 ? {} : { [NOTE]: { sent, removed } };
}

function leavesAt(value: unknown, place: Place): Place[] {
  if (value === undefined) return [];
  if (!isProperties(value)) return [place];
  return Object.entries(value).flatMap(([name, member]) => leavesAt(member, [...place, name]));
}

/** Removes the recorded values that the note names; puts a placeholder in place of each value that the service has. */
export function withoutUnrecorded(values: Properties): Properties {
  const { sent, removed } = propertiesIn(values[NOTE]) as { sent?: Place[]; removed?: Place[] };
  const placeholders: [Place, unknown][] = [
    ...(removed ?? []).map((place): [Place, unknown] => [place, undefined]),
    ...(sent ?? []).map((place): [Place, unknown] => [place, HELD]),
  ];
  return placeholders.reduce<unknown>(
    (all, [place, value]) => withValueAt(all, place, value),
    values,
  ) as Properties;
}
