import { deploymentRows, sourceRevisionConfigRows } from "../../../provider/fields/deployment";
import { group, inPlace, keyedText, mayRevise, replace, text } from "../../../provider/fields/kind";
import { type Properties, UNKNOWN } from "../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import {
  type Change,
  changesBetween,
  classAt,
  type Effect,
  managesRevision,
  verdictOf,
} from "../../../provider/verdict/changes";

const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;

const from: Properties = {
  name: "chat",
  source: "repohost",
  sourceConfig: {
    repoUrl: "r",
    installCommand: "make",
    resourceSpec: { cpu: 1, memoryMb: 512 },
    listenerConfig: { k8sNamespace: "n" },
  },
  sourceRevisionConfig: { repoRef: "main" },
  secrets: { A: "1", B: "2" },
};
const able = (profile: Profile, capabilities: Partial<Profile["capabilities"]>): Profile => ({
  ...profile,
  capabilities: { ...profile.capabilities, ...capabilities },
});
const classed = (classes: Profile["classes"]): Profile => ({ ...contract, classes });

const effectsOf = (after: Properties, profile: Profile, before = from): [string, Effect][] =>
  changesBetween(deploymentRows, before, after, profile).map(({ path, effect }) => [path, effect]);
const config = (changes: Properties): Properties => ({
  ...from,
  sourceConfig: { ...(from.sourceConfig as Properties), ...changes },
});

test("a change has its path, its effect, both values, and whether it may turn out to be none", () => {
  expect(changesBetween(deploymentRows, from, { ...from, name: "b" }, contract)).toEqual([
    { path: "name", effect: "replace", before: "chat", after: "b", unknown: false },
  ]);
  const after = { ...from, sourceRevisionConfig: { repoRef: UNKNOWN } };
  expect(changesBetween(deploymentRows, from, after, contract)).toEqual([
    {
      path: "sourceRevisionConfig.repoRef",
      effect: "newRevision",
      before: "main",
      after: UNKNOWN,
      unknown: true,
    },
  ]);
  expect(changesBetween(deploymentRows, from, from, contract)).toEqual([]);
});

test.each<[string, Properties, Profile, [string, Effect][]]>([
  ["a field in place", config({ buildOnPush: true }), contract, [["sourceConfig.buildOnPush", "inPlace"]]],
  ["a secret", { ...from, secrets: { A: "x", B: "2" } }, contract, [["secrets.A", "mayRevise"]]],
  ["a secret", { ...from, secrets: { A: "x", B: "2" } }, langsmith, [["secrets.A", "newRevision"]]],
  [
    "a part of the spec",
    config({ resourceSpec: { cpu: 2, memoryMb: 512 } }),
    contract,
    [["sourceConfig.resourceSpec.cpu", "inPlace"]],
  ],
  [
    "a part of the spec",
    config({ resourceSpec: { cpu: 2, memoryMb: 512 } }),
    langsmith,
    [["sourceConfig.resourceSpec.cpu", "newRevision"]],
  ],
  [
    "the namespace",
    config({ listenerConfig: { k8sNamespace: "m" } }),
    langsmith,
    [["sourceConfig.listenerConfig.k8sNamespace", "replace"]],
  ],
])("a change of %s has the effect that table and profile give it", (_, after, profile, expected) => {
  expect(effectsOf(after, profile)).toEqual(expected);
});

test("the class of a change comes from the profile's longest matching path, then from the row, and is otherwise in place", () => {
  const row = mayRevise("a", text);
  expect(classAt("a.b.c", row, contract)).toBe("mayRevise");
  expect(classAt("a.b.c", row, classed({ a: "replace" }))).toBe("replace");
  expect(classAt("a.b.c", row, classed({ a: "replace", "a.b": "inPlace" }))).toBe("inPlace");
  expect(classAt("a.b.c", row, classed({ a: "replace", "a.b.c": "newRevision" }))).toBe("newRevision");
  expect(classAt("a.b", row, classed({ "a.b.c": "replace", b: "replace", "": "replace" }))).toBe("mayRevise");
  expect(classAt("a", { wire: "a", kind: text, class: undefined }, contract)).toBe("inPlace");
});

test("a group that is unknown as a whole has the effect of its strongest field", () => {
  const unknown = { ...from, sourceConfig: UNKNOWN };
  expect(effectsOf(unknown, contract)).toEqual([["sourceConfig", "inPlace"]]);
  expect(effectsOf(unknown, classed({ "sourceConfig.installCommand": "mayRevise" }))).toEqual([
    ["sourceConfig", "mayRevise"],
  ]);
  expect(effectsOf(unknown, classed({ "sourceConfig.resourceSpec.cpu": "newRevision" }))).toEqual([
    ["sourceConfig", "newRevision"],
  ]);
  expect(
    effectsOf(
      unknown,
      classed({
        "sourceConfig.repoUrl": "mayRevise",
        "sourceConfig.resourceSpec": "replace",
        name: "inPlace",
      }),
    ),
  ).toEqual([["sourceConfig", "replace"]]);
  // Another field whose name only begins the same is not part of it.
  expect(effectsOf(unknown, classed({ sourceConfiguration: "replace", name: "replace" }))).toEqual([
    ["sourceConfig", "inPlace"],
  ]);
  expect(effectsOf({ ...from, sourceRevisionConfig: UNKNOWN }, contract)).toEqual([
    ["sourceRevisionConfig", "newRevision"],
  ]);
});

test("a class that the profile weakens also applies within unknown values", () => {
  const names = Object.keys(sourceRevisionConfigRows);
  const weak = Object.fromEntries(names.map((name) => [`sourceRevisionConfig.${name}`, "inPlace" as const]));
  expect(effectsOf({ ...from, sourceRevisionConfig: UNKNOWN }, classed(weak))).toEqual([
    ["sourceRevisionConfig", "inPlace"],
  ]);
});

test("a group within an unknown group is searched too", () => {
  const rows = { outer: group("outer", { inner: group("inner", { a: mayRevise("a", text) }) }) };
  const [change] = changesBetween(rows, {}, { outer: UNKNOWN }, contract);
  expect(change?.effect).toBe("mayRevise");
});

test("the class of a group is ignored in favor of its fields' classes, but the class of a plain object counts", () => {
  const rows = { settings: { ...group("settings", { a: mayRevise("a", text) }), class: "replace" as const } };
  const [change] = changesBetween(rows, { settings: { a: "1" } }, { settings: UNKNOWN }, contract);
  expect(change?.effect).toBe("mayRevise");
  const spec = config({ resourceSpec: UNKNOWN });
  expect(effectsOf(spec, classed({ "sourceConfig.resourceSpec": "mayRevise" }))).toEqual([
    ["sourceConfig.resourceSpec", "mayRevise"],
  ]);
  expect(effectsOf(spec, classed({ "sourceConfig.resourceSpec.cpu": "replace" }))).toEqual([
    ["sourceConfig.resourceSpec", "replace"],
  ]);
  // A leaf has no fields.
  expect(effectsOf({ ...from, name: UNKNOWN }, classed({ name: "inPlace", "name.x": "replace" }))).toEqual([
    ["name", "inPlace"],
  ]);
});

test("a known value is judged by its own class, whatever the other values", () => {
  const strict = classed({ "sourceConfig.resourceSpec.memoryMb": "replace" });
  expect(effectsOf(config({ resourceSpec: { cpu: 2, memoryMb: 512 } }), strict)).toEqual([
    ["sourceConfig.resourceSpec.cpu", "inPlace"],
  ]);
});

const gone = config({ installCommand: undefined });

test("a service that accepts no null keeps a removed field, and other services do not", () => {
  expect(effectsOf(gone, contract)).toEqual([["sourceConfig.installCommand", "inPlace"]]);
  expect(effectsOf(gone, able(contract, { nullClears: false }))).toEqual([
    ["sourceConfig.installCommand", "kept"],
  ]);
  expect(effectsOf(gone, langsmith)).toEqual([["sourceConfig.installCommand", "kept"]]);
  const changed = config({ installCommand: "npm ci" });
  expect(effectsOf(changed, able(contract, { nullClears: false }))).toEqual([
    ["sourceConfig.installCommand", "inPlace"],
  ]);
});

test("a field whose change replaces the resource is never kept", () => {
  const profile = {
    ...able(contract, { nullClears: false }),
    classes: { "sourceConfig.repoUrl": "replace" },
  } as Profile;
  expect(effectsOf(config({ repoUrl: undefined }), profile)).toEqual([["sourceConfig.repoUrl", "replace"]]);
});

test("a new resource keeps nothing of its predecessor, whatever the service can clear", () => {
  const clearingNothing = able(contract, { emptyListClears: false, nullClears: false });
  const renamed = { ...gone, name: "other", secrets: undefined };
  expect(effectsOf(renamed, clearingNothing)).toEqual(effectsOf(renamed, contract));
  expect(effectsOf({ ...renamed, name: UNKNOWN }, clearingNothing)).toContainEqual([
    "sourceConfig.installCommand",
    "kept",
  ]);
});

test("a removed part of the resource spec is gone if the whole spec is overwritten", () => {
  const smaller = config({ resourceSpec: { cpu: 1 } });
  const place = "sourceConfig.resourceSpec.memoryMb";
  const keeping = { nullClears: false, resourceSpecOverwrites: false };
  expect(effectsOf(smaller, langsmith)).toEqual([[place, "newRevision"]]);
  expect(effectsOf(smaller, able(langsmith, keeping))).toEqual([[place, "kept"]]);
  expect(effectsOf(smaller, able(contract, keeping))).toEqual([[place, "kept"]]);
});

test("the service does not keep a removed argument that was never sent, or that only a single PATCH carries", () => {
  const before = { ...from, rollout: { wait: false }, onDestroy: "fail", revisionSource: "repohost" };
  expect(effectsOf(from, able(contract, { nullClears: false }), before)).toEqual([
    ["revisionSource", "newRevision"],
    ["rollout.wait", "inPlace"],
    ["onDestroy", "inPlace"],
  ]);
});

test("a removed secret is gone, but a service that reads an empty list as unchanged keeps the last ones", () => {
  const keepingLast = able(contract, { emptyListClears: false });
  const clearingNothing = able(contract, { emptyListClears: false, nullClears: false });
  const one = { ...from, secrets: { A: "1" } };
  const none = { ...from, secrets: undefined };
  for (const profile of [contract, keepingLast, clearingNothing])
    expect(effectsOf(one, profile)).toEqual([["secrets.B", "mayRevise"]]);
  for (const profile of [keepingLast, clearingNothing])
    expect(effectsOf(none, profile)).toEqual([
      ["secrets.A", "kept"],
      ["secrets.B", "kept"],
    ]);
  for (const profile of [contract, able(contract, { nullClears: false })])
    expect(effectsOf(none, profile)).toEqual([
      ["secrets.A", "mayRevise"],
      ["secrets.B", "mayRevise"],
    ]);
  // The rule for lists by name does not apply to other fields.
  expect(effectsOf(config({ installCommand: undefined }), keepingLast)).toEqual([
    ["sourceConfig.installCommand", "inPlace"],
  ]);
  expect(effectsOf({ ...from, sourceConfig: undefined }, keepingLast)).toContainEqual([
    "sourceConfig.repoUrl",
    "inPlace",
  ]);
});

test("a named list within an object is removed with its own entries", () => {
  const rows = { keys: replace("keys", keyedText("value")), note: inPlace("note", text) };
  const keepingLast = able(contract, { emptyListClears: false });
  const [last] = changesBetween(rows, { keys: { "a.b": "1" } }, {}, keepingLast);
  expect(last?.effect).toBe("kept");
  const [other] = changesBetween(rows, { keys: { "a.b": "1", c: "2" } }, { keys: { c: "2" } }, keepingLast);
  expect(other?.effect).toBe("replace");
});

test("triggers and another revision source have no effect if no revision field is managed", () => {
  const forced = { ...from, revisionTriggers: { day: "monday" }, revisionSource: "internal_source" };
  expect(effectsOf(forced, contract)).toEqual([
    ["revisionSource", "newRevision"],
    ["revisionTriggers.day", "newRevision"],
  ]);
  for (const nothing of [undefined, {}, { repoRef: null }]) {
    const before = { ...from, sourceRevisionConfig: nothing };
    expect(effectsOf({ ...forced, sourceRevisionConfig: nothing }, contract, before)).toEqual([
      ["revisionSource", "inPlace"],
      ["revisionTriggers.day", "inPlace"],
    ]);
  }
  // Without triggers, a change of the revision's own fields makes a revision, and our other arguments keep their
  // classes.
  expect(effectsOf({ ...from, sourceRevisionConfig: undefined }, contract)).toEqual([
    ["sourceRevisionConfig.repoRef", "newRevision"],
  ]);
  const unmanaged = { ...from, sourceRevisionConfig: undefined };
  expect(effectsOf({ ...unmanaged, connection: "other" }, contract, unmanaged)).toEqual([
    ["connection", "replace"],
  ]);
});

test.each<[Properties, boolean]>([
  [{}, false],
  [{ sourceRevisionConfig: null }, false],
  [{ sourceRevisionConfig: "text" }, false],
  [{ sourceRevisionConfig: {} }, false],
  [{ sourceRevisionConfig: { repoRef: null } }, false],
  [{ sourceRevisionConfig: { repoRef: null, imageUri: "i" } }, true],
  [{ sourceRevisionConfig: { repoRef: UNKNOWN } }, true],
  [{ sourceRevisionConfig: UNKNOWN }, true],
])("whether %j manages a revision: %s", (args, expected) => {
  expect(managesRevision(args)).toBe(expected);
});

const change = (effect: Effect, unknown = false): Change => ({
  path: "p",
  effect,
  before: 1,
  after: 2,
  unknown,
});

test.each<[Change[], string]>([
  [[], "unchanged"],
  [[change("kept")], "inPlace"],
  [[change("inPlace")], "inPlace"],
  [[change("inPlace", true)], "inPlace"],
  [[change("inPlace"), change("mayRevise")], "mayRevise"],
  [[change("newRevision", true)], "mayRevise"],
  [[change("newRevision", true), change("mayRevise")], "mayRevise"],
  [[change("mayRevise"), change("newRevision")], "newRevision"],
  [[change("newRevision", true), change("newRevision")], "newRevision"],
  [[change("newRevision"), change("replace")], "replace"],
  [[change("replace", true)], "mayReplace"],
  [[change("newRevision"), change("replace", true)], "mayReplace"],
  [[change("replace", true), change("replace")], "replace"],
])("the strongest of %j decides: %s", (changes, expected) => {
  expect(verdictOf(changes)).toBe(expected);
});

test.each([UNKNOWN, { repoRef: UNKNOWN }])(
  "%j: if the revision's fields may turn out to be absent, it is uncertain that a change makes a revision",
  (sourceRevisionConfig) => {
    const olds = { ...from, revisionTriggers: { day: "monday" }, revisionSource: "repohost" };
    const verdict = (news: Properties, config: unknown = sourceRevisionConfig) =>
      verdictOf(
        changesBetween(deploymentRows, olds, { ...olds, sourceRevisionConfig: config, ...news }, contract),
      );
    expect(verdict({ revisionSource: "internal_source" })).toBe("mayRevise");
    expect(verdict({ revisionTriggers: undefined })).toBe("mayRevise");
    // If all fields of the revision turn out absent, the apply refuses a new trigger; one known field is enough to make
    // a revision.
    expect(verdict({ revisionTriggers: { day: "tuesday" } })).toBe("newRevision");
    const oneKnown = { repoRef: UNKNOWN, graphConfigPath: "graph.json" };
    expect(verdict({ revisionSource: "internal_source" }, oneKnown)).toBe("newRevision");
  },
);
