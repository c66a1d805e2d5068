import * as fc from "fast-check";
import { faultsIn } from "../../../provider/schema/check";
import { deploymentRows } from "../../../provider/schema/deployment";
import { normalizedRows, type Properties, UNKNOWN } from "../../../provider/schema/value";
import { allKeys, deploymentArguments } from "../../support/arbitraryArguments";

test("a value that is unknown until the apply passes every check", () => {
  fc.assert(
    fc.property(deploymentArguments(allKeys), fc.nat(), (args, at) => {
      const set = normalizedRows(deploymentRows, args);
      const places = placesIn(set);
      const place = places[at % places.length] as string[];
      expect(faultsIn(deploymentRows, withUnknownAt(set, place), () => false)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

function placesIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...placesIn(member).map((place) => [name, ...place]),
  ]);
}

function withUnknownAt(value: unknown, [name, ...innerNames]: readonly string[]): Properties {
  if (name === undefined) return UNKNOWN as unknown as Properties;
  if (Array.isArray(value)) {
    return value.map((element, index) =>
      String(index) === name ? withUnknownAt(element, innerNames) : element,
    ) as unknown as Properties;
  }
  const members = Object.entries(value as Properties);
  return Object.fromEntries(
    members.map(([each, member]) => [each, each === name ? withUnknownAt(member, innerNames) : member]),
  );
}
