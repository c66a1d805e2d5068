import { inPlace, integer } from "../../../provider/schema/kind";
import { normalizedRows, withValueAt } from "../../../provider/schema/value";

test("setting a value at a path changes nothing else; setting no value removes the path", () => {
  const value = { a: { b: 1, c: 2 }, d: 3 };
  expect(withValueAt(value, ["a", "b"], 9)).toEqual({ a: { b: 9, c: 2 }, d: 3 });
  expect(withValueAt(value, ["a", "b"], undefined)).toEqual({ a: { c: 2 }, d: 3 });
  expect(withValueAt(value, ["d"], undefined)).toEqual({ a: { b: 1, c: 2 } });
  expect(Object.keys(withValueAt(value, ["d"], undefined) as object)).toEqual(["a"]);
  expect(withValueAt(undefined, ["e", "f"], 0)).toEqual({ e: { f: 0 } });
  expect(withValueAt(value, [], 7)).toBe(7);
});

test("a negative zero is recorded as 0, which is what every service answers", () => {
  const { count } = normalizedRows({ count: inPlace("count", integer) }, { count: -0 });
  expect(Object.is(count, 0)).toBe(true);
});
