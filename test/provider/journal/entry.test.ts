import { answerText, entryIn, placeOf, textOf } from "../../../provider/journal/entry";
import { entry, SERVICE, URN } from "../../support/journalFolder";

const update = { kind: "update", id: "d-1", carries: ["secrets"] };
const read = (changes: object) => entryIn(JSON.stringify({ ...entry, ...changes }));

test("an entry is read unchanged, with and without an id", () => {
  expect(entryIn(JSON.stringify(entry))).toEqual(entry);
  expect(read({ id: "d-1" })).toEqual({ ...entry, id: "d-1" });
  expect(read({ kind: "listener", secretNames: [], known: [] })).toMatchObject({ kind: "listener" });
  for (const more of [{}, { generation: 2 }, { answer: "r-2" }, { answer: null }])
    expect(read({ ...update, ...more })).toEqual({ ...entry, ...update, ...more });
});

test("an entry is read with the last complete answer that follows it, and a truncated answer is ignored", () => {
  const text = textOf(entry);
  expect(entryIn(text + answerText({ id: "d-1" }))).toEqual({ ...entry, id: "d-1" });
  expect(entryIn(text + answerText({ id: "d-1" }) + answerText({ id: "d-2" }))).toMatchObject({ id: "d-2" });
  for (let cut = 0; cut < answerText({ id: "d-1" }).length - 1; cut += 1) {
    const truncated = text + answerText({ id: "d-1" }).slice(0, cut);
    expect(entryIn(truncated)).toEqual(entry);
    expect(entryIn(truncated + answerText({ id: "d-2" }))).toMatchObject({ id: "d-2" });
  }
  expect(entryIn(text + answerText({ id: 7 as never }))).toBe('its field "id" is missing or wrong');
});

test.each([
  ["id", undefined],
  ["carries", undefined],
  ["carries", [7]],
  ["generation", "2"],
  ["answer", 7],
])("an update's entry whose %s is %j is refused, and the reason names that member", (name, value) => {
  expect(read({ ...update, [name]: value })).toBe(`its field "${name}" is missing or wrong`);
});

test("the entries of a resource's update and creation are different files in one folder", () => {
  const key = { urn: URN, serviceUrl: SERVICE, backend: "" };
  const [folder, file] = placeOf({ ...key, operation: "update" });
  expect(folder).toBe("app/dev");
  expect(placeOf({ ...key, operation: "creation" })).toEqual(placeOf(key));
  expect(file).not.toBe(placeOf(key)[1]);
});

test("an entry may cover the longest possible time-out plus a proxy's delay", () => {
  expect(read({ expiresAt: entry.sentAt + 86_400_000 + 10_000 })).toMatchObject({ sentAt: entry.sentAt });
});

test.each([
  ["", "it is empty"],
  ["{", "it is not JSON, or was cut off"],
  [" ", "it is not JSON, or was cut off"],
  ["[]", "it is not a JSON object"],
  ["null", "it is not a JSON object"],
  ["{}", "it has another version"],
  [JSON.stringify({ ...entry, version: 2 }), "it has another version"],
  [JSON.stringify({ ...entry, version: "1" }), "it has another version"],
])("the text %j is not an entry: %s", (text, reason) => {
  expect(entryIn(text)).toBe(reason);
});

test.each([
  ...["token", "urn", "serviceUrl", "backend", "name"].map((name) => [name, undefined]),
  ["sentAt", "1"],
  ["expiresAt", null],
  ["secretNames", "A"],
  ["known", ["A", null]],
  // A later run waits as long as the entry says, so a damaged file must not make the run wait forever.
  ["expiresAt", entry.sentAt - 1],
  ["expiresAt", entry.sentAt + 2 * 24 * 3_600_000 + 1],
  ["sent", undefined],
  ["sent", []],
  ["kind", 1],
  ["id", 7],
] as [string, unknown][])(
  "an entry whose %s is %j is refused, and the reason names that member",
  (name, value) => {
    expect(read({ [name]: value })).toBe(`its field "${name}" is missing or wrong`);
  },
);

test("an entry is in the folder of its project and stack, under a unique name", () => {
  const key = { urn: URN, serviceUrl: SERVICE, backend: "file:///b" };
  const [folder, file] = placeOf(key);
  expect(folder).toBe("app/dev");
  expect(file).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(placeOf({ ...key })).toEqual([folder, file]);
  for (const other of [{ urn: `${URN}-2` }, { serviceUrl: "https://other" }, { backend: "" }])
    expect(placeOf({ ...key, ...other })[1]).not.toBe(file);
});

test.each([
  ["urn:pulumi:a/b::c d\\e::t::n", "c_d_e/a_b"],
  ["urn:pulumi:..::.::t::n", "_/_"],
  ["x:urn:pulumi:s::p", "p/x_urn_pulumi_s"],
])("the entry of the resource %j is in %s, which cannot escape the folder", (urn, folder) => {
  expect(placeOf({ urn, serviceUrl: SERVICE, backend: "" })[0]).toBe(folder);
});
