/** Checks that each test sends the rows of the contract that the table assigns to it. */
import type { RecordedRequest } from "../../sdk/emulator";
import { rows, senderOf } from "../guards/contractRows";
import { endpointOf } from "./table";
import { isOfTheTest } from "./watching";

/** The rows that a request of the client contains. */
function rowsIn({ method, path, query, body }: RecordedRequest): string[] {
  const endpoint = endpointOf("contract", method, path) ?? `${method} ${path}`;
  return [
    endpoint,
    ...Object.keys(query).map((name) => `${endpoint} ?${name}`),
    ...pathsIn(body).map((place) => `${endpoint} ${place}`),
  ];
}

/** The paths of all values in a body; an array's elements have the array's path. */
export function pathsIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, prefix));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    `${prefix}${name}`,
    ...pathsIn(each, `${prefix}${name}.`),
  ]);
}

/** Fails the running test unless it has sent every row that the table assigns to that file and test. */
export function expectProven(file: string, requests: readonly RecordedRequest[]): void {
  const title = expect.getState().currentTestName;
  const named = rows.filter((row) => {
    const sender = senderOf(row);
    return sender?.file === file && sender.title === title;
  });
  expect(named).not.toEqual([]);
  const sent = new Set(requests.filter((request) => !isOfTheTest(request)).flatMap(rowsIn));
  expect(named.filter((row) => !sent.has(row))).toEqual([]);
}
