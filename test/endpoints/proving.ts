/** Finds the endpoints, filters and fields of the contract that recorded requests use. */
import type { RecordedRequest } from "../../sdk/emulator";
import { endpointOf } from "./table";
import { isOfTheTest } from "./watching";

/** The rows that these requests use; a request that the test itself sent does not count. */
export const rowsIn = (requests: readonly RecordedRequest[]): string[] =>
  requests
    .filter((request) => !isOfTheTest(request))
    .flatMap(({ method, path, query, body }) => {
      const endpoint = endpointOf("contract", method, path) ?? `${method} ${path}`;
      return [
        endpoint,
        ...Object.keys(query).map((name) => `${endpoint} ?${name}`),
        ...pathsIn(body).map((place) => `${endpoint} ${place}`),
      ];
    });

/** The paths of all values in a body; the elements of an array have the path of the array. */
export function pathsIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, prefix));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    `${prefix}${name}`,
    ...pathsIn(each, `${prefix}${name}.`),
  ]);
}
