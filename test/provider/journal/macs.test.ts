import { createHash, createHmac } from "node:crypto";
import { areMacs, type Macs, macsOf, provenValues } from "../../../provider/journal/macs";

const KEY = "key-of-the-connection";
const values = {
  secrets: { A: "one", B: "two" },
  sourceConfig: { resourceSpec: { env: [{ name: "x", value: "y" }] } },
};
const macs = macsOf(values, KEY) as Macs;

test("the key proves exactly the unchanged values", () => {
  expect(provenValues(macs, values, KEY)).toEqual(values);
  const since = { ...values, secrets: { A: "one", B: "changed", C: "new" } };
  expect(provenValues(macs, since, KEY).secrets).toEqual({ A: "one" });
  expect(provenValues(macs, {}, KEY)).toEqual({ secrets: {}, sourceConfig: { resourceSpec: {} } });
});

test("another key, no key and no MACs prove nothing", () => {
  for (const key of ["another", ""])
    expect(provenValues(macs, values, key)).toEqual({ secrets: {}, sourceConfig: { resourceSpec: {} } });
  expect(provenValues(macs, values, undefined)).toEqual({});
  expect(provenValues(undefined, values, KEY)).toEqual({});
  expect([macsOf(values, undefined), macsOf({}, KEY)]).toEqual([undefined, undefined]);
});

test("a value is not proven by the MAC of an equal value at another path", () => {
  const swapped = { salt: macs.salt, of: { secrets: { A: (macs.of.secrets as { B: string }).B } } };
  expect(provenValues(swapped, { secrets: { A: "two" } }, KEY)).toEqual({ secrets: {} });
});

test("the order of names does not matter, the order of a list does", () => {
  const one = macsOf({ list: [{ a: 1, b: 2 }, 3] }, KEY);
  expect(provenValues(one, { list: [{ b: 2, a: 1 }, 3] }, KEY)).toEqual({ list: [{ b: 2, a: 1 }, 3] });
  expect(provenValues(one, { list: [3, { a: 1, b: 2 }] }, KEY)).toEqual({});
});

test("an inherited member of every object does not count as a value", () => {
  const odd = macsOf(JSON.parse('{"secrets": {"__proto__": "x", "constructor": "y"}}'), KEY);
  expect(JSON.stringify(provenValues(odd, { secrets: {} }, KEY))).toBe('{"secrets":{}}');
});

test("MACs do not reveal equal or long values, within an entry or between entries", () => {
  const twins = macsOf({ secrets: { A: "same", B: "same", C: "same".repeat(100) } }, KEY) as Macs;
  const again = macsOf({ secrets: { A: "same", B: "same", C: "same".repeat(100) } }, KEY) as Macs;
  const shown = [twins, again].flatMap(({ of }) => Object.values(of.secrets as { [name: string]: string }));
  expect(new Set(shown).size).toBe(6);
  expect(new Set(shown.map(({ length }) => length)).size).toBe(1);
});

test("an entry does not help to test a guess", () => {
  const text = JSON.stringify(macs);
  const guessedSalts = ["", macs.salt, "deployment-control journal", "A", "secrets", "secrets.A"];
  for (const guess of ["one", '"one"'])
    for (const beside of guessedSalts)
      for (const words of [guess, beside + guess, guess + beside, JSON.stringify([beside, guess])])
        for (const encoding of ["hex", "base64"] as const) {
          expect(text).not.toContain(createHash("sha256").update(words).digest(encoding));
          expect(text).not.toContain(createHmac("sha256", beside).update(words).digest(encoding));
        }
  // Only the key makes the difference: with it, the same guess is proven.
  expect(provenValues(macs, { secrets: { A: "one" } }, KEY).secrets).toEqual({ A: "one" });
});

test.each([
  [undefined, true],
  [{ salt: "s", of: { a: { b: "mac" } } }, true],
  [{ salt: "s" }, false],
  [{ of: {} }, false],
  [{ salt: "s", of: { a: 1 } }, false],
  ["text", false],
])("whether %j is accepted as the MACs of an entry: %s", (value, may) => {
  expect(areMacs(value)).toBe(may);
});
