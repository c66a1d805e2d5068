import * as fc from "fast-check";
import { objectSchema } from "../../provider/fields/check";
import { rowsConform } from "../../provider/fields/conforms";
import { deploymentRows } from "../../provider/fields/deployment";
import { listenerRows } from "../../provider/fields/listener";
import { rolloutRows } from "../../provider/fields/rollout";
import { smokeTestRows } from "../../provider/fields/smokeTest";
import { type Properties, UNKNOWN } from "../../provider/fields/value";
import { allKeys, deploymentArguments } from "./arbitraries";

const TABLES = { deploymentRows, listenerRows, rolloutRows, smokeTestRows };

/** Values that stand where another one belongs. */
const stranger = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -1, 0.5, "", " ", [], {}),
  fc.constantFrom(
    "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21",
    "true",
    true,
    [null],
    { "": "x" },
    { a: Number.NaN },
  ),
);

/** The value with another one at some place within it. */
function spoilt(value: unknown, choices: readonly number[], by: unknown): unknown {
  const [choice, ...rest] = choices;
  if (choice === undefined || typeof value !== "object" || value === null) return by;
  const names = Object.keys(value);
  const name = names.length === 0 || choice >= 0.97 ? "extra" : names[Math.floor(choice * names.length)];
  const spoiltMember = spoilt((value as Properties)[name as string], rest, by);
  if (!Array.isArray(value)) return { ...value, [name as string]: spoiltMember };
  return names.length === 0
    ? [by]
    : value.map((member, index) => (String(index) === name ? spoiltMember : member));
}

const choices = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 5 });

test("good arguments conform, and whatever conforms is good, wherever something else stands in them", () => {
  fc.assert(
    fc.property(deploymentArguments(allKeys), choices, stranger, (args, places, by) => {
      expect(rowsConform(deploymentRows, args)).toBe(objectSchema(deploymentRows).safeParse(args).success);
      const other = spoilt(args, places, by);
      expect(rowsConform(deploymentRows, other)).toBe(objectSchema(deploymentRows).safeParse(other).success);
    }),
    { numRuns: 2_000 },
  );
});

test.each(Object.entries(TABLES))("the same holds for any value of %s", (_name, rows) => {
  const member = fc.record(Object.fromEntries(Object.keys(rows).map((name) => [name, stranger])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(member, (value) => {
      expect(rowsConform(rows, value)).toBe(objectSchema(rows).safeParse(value).success);
    }),
    { numRuns: 1_000 },
  );
});

test("what is unknown until apply conforms", () => {
  expect(rowsConform(deploymentRows, { name: UNKNOWN, source: UNKNOWN, sourceConfig: UNKNOWN })).toBe(true);
  const specs = { resourceSpec: { cpu: UNKNOWN, volumes: [UNKNOWN] } };
  expect(rowsConform(deploymentRows, { name: "a", source: "repohost", sourceConfig: specs })).toBe(true);
});
