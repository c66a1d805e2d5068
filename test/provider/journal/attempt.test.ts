import { attemptIn, isRecorded, placeOf } from "../../../provider/journal/attempt";
import { attempt, KEY, URN } from "../../support/journalFolder";

const update = { purpose: "update", id: "d-1", carries: ["secrets"] };
const read = (changes: object) => attemptIn(JSON.stringify({ ...attempt, ...changes }));

test("an attempt is read unchanged, with and without an answer", () => {
  expect(attemptIn(JSON.stringify(attempt))).toEqual(attempt);
  expect(read({ answer: "d-1" })).toEqual({ ...attempt, answer: "d-1" });
  expect(read({ kind: "listener", secretNames: [], known: [] })).toMatchObject({ kind: "listener" });
  for (const more of [{}, { generation: 2 }, { answer: "r-2" }, { answer: null }])
    expect(read({ ...update, ...more })).toEqual({ ...attempt, ...update, ...more });
});

test.each([
  ["a creation", { answer: "d-1" }, {}, true],
  ["a creation without an answer", {}, {}, false],
  ["a creation with another id", { answer: "d-2" }, {}, false],
  [
    "an update of another deployment",
    { ...update, id: "d-2", generation: 1 },
    { revisionGeneration: 1 },
    false,
  ],
  ["an update that reached the generation", { ...update, generation: 2 }, { revisionGeneration: 2 }, true],
  ["an update with a later generation", { ...update, generation: 2 }, { revisionGeneration: 1 }, false],
  ["an update in doubt", { ...update, generation: 2 }, { revisionGeneration: 2, uncertainSince: 1 }, false],
  ["a repeated revision", { ...update, answer: "new" }, { latestRevisionId: "new" }, true],
  ["a repeated revision in an older state", { ...update, answer: "new" }, { latestRevisionId: "old" }, false],
  ["a repeated revision without an answer", update, { latestRevisionId: "new" }, false],
  ["a repetition that made no revision", { ...update, answer: "old" }, { latestRevisionId: "old" }, true],
])("`isRecorded` tells whether the state has the result of %s (case %#)", (_what, more, state, expected) => {
  expect(isRecorded({ ...attempt, ...more } as typeof attempt, "d-1", state)).toBe(expected);
});

test.each([
  ["", "it is empty"],
  ["{", "it is not JSON, or was cut off"],
  [" ", "it is not JSON, or was cut off"],
  ["[]", "it is not a JSON object"],
  ["null", "it is not a JSON object"],
  ["{}", "it has another version"],
  [JSON.stringify({ ...attempt, version: 2 }), "it has another version"],
  [JSON.stringify({ ...attempt, version: "1" }), "it has another version"],
])("the string %j is not an attempt: %s", (text, reason) => {
  expect(attemptIn(text)).toBe(reason);
});

test.each<[string, unknown, object?]>([
  ...["token", "urn", "serviceUrl", "backend", "name"].map((name): [string, unknown] => [name, undefined]),
  ["sentAt", "1"],
  ["expiresAt", null],
  ["secretNames", "A"],
  ["known", ["A", null]],
  ["expiresAt", attempt.sentAt - 1],
  ["sent", undefined],
  ["sent", []],
  ["kind", 1],
  ["id", 7],
  ["id", undefined, update],
  ["carries", [7], update],
  ["generation", "2", update],
  ["answer", 7, update],
])("an attempt whose %s is %j is refused, and the reason names that field", (name, value, more = {}) => {
  expect(read({ ...more, [name]: value })).toBe(`its field "${name}" is missing or wrong`);
});

test("the file of an attempt is in the folder of its project and stack, and has a unique name", () => {
  const [folder, file] = placeOf(KEY, "file:///b");
  expect(folder).toBe("app/dev");
  expect(file).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(placeOf({ ...KEY }, "file:///b")).toEqual([folder, file]);
  const differences = [{ urn: `${URN}-2` }, { serviceUrl: "https://other" }, { purpose: "update" }] as const;
  for (const difference of differences)
    expect(placeOf({ ...KEY, ...difference }, "file:///b")[1]).not.toBe(file);
  expect(placeOf(KEY, "")[1]).not.toBe(file);
});

test.each([
  ["urn:pulumi:a/b::c d\\e::t::n", "c_d_e/a_b"],
  ["urn:pulumi:..::.::t::n", "_/_"],
  ["x:urn:pulumi:s::p", "p/x_urn_pulumi_s"],
])("the attempt of the resource %j is in %s, inside the journal's folder", (urn, folder) => {
  expect(placeOf({ ...KEY, urn }, "")[0]).toBe(folder);
});
