import { inPlace, integer } from "../../../provider/schema/kind";
import { normalizedRows } from "../../../provider/schema/value";

test("a negative zero is recorded as 0, which is what every service answers", () => {
  const { count } = normalizedRows({ count: inPlace("count", integer) }, { count: -0 });
  expect(Object.is(count, 0)).toBe(true);
});
