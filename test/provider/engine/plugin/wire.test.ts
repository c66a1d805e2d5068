import fc from "fast-check";
import { pathOf } from "../../../../provider/engine/marks";
import { bagIn, losesEntry, marked, structOf } from "../../../../provider/engine/plugin/wire";

const MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** All names except `__proto__`: the library drops entries with this name, so the server refuses them earlier. */
const name = fc.string({ minLength: 1 }).filter((text) => text !== "__proto__");

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const properties = fc.dictionary(name, json, { maxKeys: 4, noNullPrototype: true });

test("values without marks are unchanged after a trip over the wire and back", () => {
  fc.assert(
    fc.property(properties, (values) => {
      const expected = JSON.parse(JSON.stringify(values));
      expect(bagIn(structOf({ values, secrets: [] }))).toEqual({ values: expected, secrets: [] });
    }),
  );
});

test("a read replaces secret marks with a list of their paths, even within lists and other marks, and a write restores the marks", () => {
  const values = {
    secrets: { A: { ...MARK, value: "a" } },
    list: [{ env: [{ value: { ...MARK, value: "b" } }] }],
    whole: { ...MARK, value: { inner: { ...MARK, value: "c" } } },
    plain: 1,
  };
  const sent = bagIn(structOf({ values, secrets: [] }));
  expect(sent.values).toEqual({
    secrets: { A: "a" },
    list: [{ env: [{ value: "b" }] }],
    whole: { inner: "c" },
    plain: 1,
  });
  const places = [["list", 0, "env", 0, "value"], ["secrets", "A"], ["whole"]];
  expect([...sent.secrets].sort()).toEqual(places);
  expect(sent.secrets.map(pathOf).sort()).toEqual(["list.env.value", "secrets.A", "whole"]);
  expect(bagIn(structOf(sent))).toEqual(sent);
  expect(structOf(sent).toJavaScript()).toMatchObject({
    plain: 1,
    whole: { ...MARK, value: { inner: "c" } },
  });
});

test.each([
  ['{"secrets": {"__proto__": "a"}}', false],
  ['{"secrets": {"name": "__proto__", "__proto": "a", "__proto__s": 1}}', false],
])("the message %s has an entry that the library would drop: %s", (text, loses) => {
  const message = Buffer.from(structOf({ values: JSON.parse(text), secrets: [] }).serializeBinary());
  expect(losesEntry(message)).toBe(loses);
});

test("an entry named __proto__ is found on the wire, because other languages can write such an entry", () => {
  const other = { secrets: { __PROTO__: "a" } };
  const message = Buffer.from(structOf({ values: other, secrets: [] }).serializeBinary());
  expect(losesEntry(message)).toBe(false);
  expect(
    losesEntry(Buffer.from(message.toString("latin1").replace("__PROTO__", "__proto__"), "latin1")),
  ).toBe(true);
});

test("a value inside a marked object is not marked again, because the SDK would remove only one of the two marks", () => {
  const paths = [["secrets", "A"], ["secrets"], ["apiKey"]];
  expect(marked({ secrets: { A: "a" }, apiKey: null }, paths)).toEqual({
    secrets: { ...MARK, value: { A: "a" } },
    apiKey: null,
  });
});
