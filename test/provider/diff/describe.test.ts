import type { Change } from "../../../provider/diff/changes";
import { describeChange, HELD, shown } from "../../../provider/diff/describe";
import { hiddenBy } from "../../../provider/schema/check";
import { UNKNOWN } from "../../../provider/schema/value";

const nothing = hiddenBy(["secrets"]);
const change = (
  path: string,
  before: unknown,
  after: unknown,
  effect: Change["effect"] = "inPlace",
): Change => ({
  path,
  effect,
  before,
  after,
  unknown: after === UNKNOWN,
});

test.each<[unknown, string]>([
  ["main", "main"],
  ["refs/heads/a.b-c_d", "refs/heads/a.b-c_d"],
  ["two words", '"two words"'],
  ["", '""'],
  ["a; b", '"a; b"'],
  ["a)", '"a)"'],
  [undefined, "(not set)"],
  [null, "(not set)"],
  [UNKNOWN, "(unknown until apply)"],
  [{ a: [UNKNOWN] }, "(unknown until apply)"],
  [{ a: 1 }, '{"a":1}'],
  [false, "false"],
  ["a\u202eb", "a\\u202eb"],
  ["a\nb", '"a\\nb"'],
])("the value %j is shown as %s", (value, words) => {
  expect(String(shown(value))).toBe(words);
});

test.each<[Change, string]>([
  [change("secrets.A", undefined, "x"), "secret A added"],
  [change("secrets.A", "x", undefined), "secret A removed"],
  [change("secrets.A", "x", "y"), "secret A changed"],
  [change("secrets.A", "x", UNKNOWN), "secret A unknown until apply"],
  [change("secrets.A", "x", undefined, "kept"), "secret A no longer managed, the service keeps it"],
  [change("secrets.a.b\n", "x", "y"), "secret a.b\\u000a changed"],
  [change("secrets", { A: "x" }, UNKNOWN), "secrets unknown until apply"],
  [change("secrets.A", HELD, "y"), "secret A set again"],
  [change("secrets.A", HELD, undefined), "secret A removed"],
  [change("secretReferences.A", undefined, {}), "secret reference A added"],
  [change("sourceConfig.resourceSpec.labels.a.b", "1", "2"), "sourceConfig.resourceSpec.labels.a.b 1 -> 2"],
])("the change %j is described as: %s", (change, words) => {
  expect(String(describeChange(change, nothing))).toBe(words);
});

const LONG = "https://registry.example.com/a/very/long/name/that/fills/the/line/of/a/plan/to/its/end";

test.each([
  ["both values", ["agents"], ["agents", "tools"], 'p ["agents"] -> ["agents","tools"]'],
  ["a long value that is cut off", [LONG], undefined, `p ["${LONG.slice(0, 77)}… -> (not set)`],
  ["no values if they differ only after the cut", [LONG, 1], [LONG, 2], "p changed"],
])("the description of a change shows %s", (_, before, after, words) => {
  expect(String(describeChange(change("p", before, after), nothing))).toBe(words);
});

test("a value that the program marked secret is hidden, and so is every value inside it and every object around it", () => {
  const hidden = hiddenBy(["secrets", "sourceConfig.resourceSpec.labels"]);
  const words = (path: string) => String(describeChange(change(path, "hunter2", "hunter3"), hidden));
  expect(words("sourceConfig.resourceSpec.labels")).toBe("sourceConfig.resourceSpec.labels changed");
  expect(words("sourceConfig.resourceSpec.labels.a")).toBe("sourceConfig.resourceSpec.labels.a changed");
  expect(words("sourceConfig.resourceSpec")).toBe("sourceConfig.resourceSpec changed");
  expect(words("sourceConfig.customUrl")).toBe("sourceConfig.customUrl hunter2 -> hunter3");
});
