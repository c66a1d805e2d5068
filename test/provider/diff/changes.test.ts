import { type Change, changesBetween, classAt, type Effect, verdictOf } from "../../../provider/diff/changes";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import { deploymentRows, sourceRevisionConfigRows } from "../../../provider/schema/deployment";
import { group, inPlace, keyedText, mayRevise, replace, text } from "../../../provider/schema/kind";
import { type Properties, UNKNOWN } from "../../../provider/schema/value";

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
const withCapabilities = (profile: Profile, capabilities: Partial<Profile["capabilities"]>): Profile => ({
  ...profile,
  capabilities: { ...profile.capabilities, ...capabilities },
});
const withClasses = (classes: Profile["classes"]): Profile => ({ ...contract, classes });

const effectsOf = (after: Properties, profile: Profile, before = from): [string, Effect][] =>
  changesBetween(deploymentRows, before, after, profile).map(({ path, effect }) => [path, effect]);
const config = (changes: Properties): Properties => ({
  ...from,
  sourceConfig: { ...(from.sourceConfig as Properties), ...changes },
});

test("the class of a change comes from the profile's longest matching path, or else from the row; the default is in place", () => {
  const row = mayRevise("a", text);
  expect(classAt("a.b.c", row, contract)).toBe("mayRevise");
  expect(classAt("a.b.c", row, withClasses({ a: "replace" }))).toBe("replace");
  expect(classAt("a.b.c", row, withClasses({ a: "replace", "a.b": "inPlace" }))).toBe("inPlace");
  expect(classAt("a.b.c", row, withClasses({ a: "replace", "a.b.c": "newRevision" }))).toBe("newRevision");
  expect(classAt("a.b", row, withClasses({ "a.b.c": "replace", b: "replace", "": "replace" }))).toBe(
    "mayRevise",
  );
  expect(classAt("a", { wire: "a", kind: text, class: undefined }, contract)).toBe("inPlace");
});

test("a group that is unknown as a whole has the strongest effect among its fields", () => {
  const unknown = { ...from, sourceConfig: UNKNOWN };
  expect(effectsOf(unknown, contract)).toEqual([["sourceConfig", "inPlace"]]);
  expect(effectsOf(unknown, withClasses({ "sourceConfig.installCommand": "mayRevise" }))).toEqual([
    ["sourceConfig", "mayRevise"],
  ]);
  expect(effectsOf(unknown, withClasses({ "sourceConfig.resourceSpec.cpu": "newRevision" }))).toEqual([
    ["sourceConfig", "newRevision"],
  ]);
  expect(
    effectsOf(
      unknown,
      withClasses({
        "sourceConfig.repoUrl": "mayRevise",
        "sourceConfig.resourceSpec": "replace",
        name: "inPlace",
      }),
    ),
  ).toEqual([["sourceConfig", "replace"]]);
  // `sourceConfiguration` is a different field whose name starts with the same letters.
  expect(effectsOf(unknown, withClasses({ sourceConfiguration: "replace", name: "replace" }))).toEqual([
    ["sourceConfig", "inPlace"],
  ]);
  expect(effectsOf({ ...from, sourceRevisionConfig: UNKNOWN }, contract)).toEqual([
    ["sourceRevisionConfig", "newRevision"],
  ]);
});

test("if the profile weakens the class of every field in a group, the unknown group has the weaker effect", () => {
  const names = Object.keys(sourceRevisionConfigRows);
  const weak = Object.fromEntries(names.map((name) => [`sourceRevisionConfig.${name}`, "inPlace" as const]));
  expect(effectsOf({ ...from, sourceRevisionConfig: UNKNOWN }, withClasses(weak))).toEqual([
    ["sourceRevisionConfig", "inPlace"],
  ]);
});

test("an unknown group has only the classes of its fields, but an unknown object also has its own class", () => {
  const rows = { settings: { ...group("settings", { a: mayRevise("a", text) }), class: "replace" as const } };
  const [change] = changesBetween(rows, { settings: { a: "1" } }, { settings: UNKNOWN }, contract);
  expect(change?.effect).toBe("mayRevise");
  const spec = config({ resourceSpec: UNKNOWN });
  expect(effectsOf(spec, withClasses({ "sourceConfig.resourceSpec": "mayRevise" }))).toEqual([
    ["sourceConfig.resourceSpec", "mayRevise"],
  ]);
  expect(effectsOf(spec, withClasses({ "sourceConfig.resourceSpec.cpu": "replace" }))).toEqual([
    ["sourceConfig.resourceSpec", "replace"],
  ]);
  // A leaf has no fields, so a class inside the leaf has no effect.
  expect(
    effectsOf({ ...from, name: UNKNOWN }, withClasses({ name: "inPlace", "name.x": "replace" })),
  ).toEqual([["name", "inPlace"]]);
});

const withoutCommand = config({ installCommand: undefined });

test("only a service that accepts no null keeps a removed field", () => {
  expect(effectsOf(withoutCommand, contract)).toEqual([["sourceConfig.installCommand", "inPlace"]]);
  expect(effectsOf(withoutCommand, withCapabilities(contract, { nullClears: false }))).toEqual([
    ["sourceConfig.installCommand", "kept"],
  ]);
  expect(effectsOf(withoutCommand, langsmith)).toEqual([["sourceConfig.installCommand", "kept"]]);
  const changed = config({ installCommand: "npm ci" });
  expect(effectsOf(changed, withCapabilities(contract, { nullClears: false }))).toEqual([
    ["sourceConfig.installCommand", "inPlace"],
  ]);
});

test("if a change to a field replaces the resource, the removal of the field does too, even if no request can clear the field", () => {
  const profile = {
    ...withCapabilities(contract, { nullClears: false }),
    classes: { "sourceConfig.repoUrl": "replace" },
  } as Profile;
  expect(effectsOf(config({ repoUrl: undefined }), profile)).toEqual([["sourceConfig.repoUrl", "replace"]]);
});

test("a replacement keeps no removed field, even if the service cannot clear fields", () => {
  const clearingNothing = withCapabilities(contract, { nullClears: false });
  const renamed = { ...withoutCommand, name: "other", secrets: undefined };
  expect(effectsOf(renamed, clearingNothing)).toEqual(effectsOf(renamed, contract));
  expect(effectsOf({ ...renamed, name: UNKNOWN }, clearingNothing)).toContainEqual([
    "sourceConfig.installCommand",
    "kept",
  ]);
});

test("a removed member of the resource spec is cleared if a PATCH overwrites the whole spec, and is kept otherwise", () => {
  const smaller = config({ resourceSpec: { cpu: 1 } });
  const place = "sourceConfig.resourceSpec.memoryMb";
  const keeping = { nullClears: false, resourceSpecOverwrites: false };
  expect(effectsOf(smaller, langsmith)).toEqual([[place, "newRevision"]]);
  expect(effectsOf(smaller, withCapabilities(langsmith, keeping))).toEqual([[place, "kept"]]);
  expect(effectsOf(smaller, withCapabilities(contract, keeping))).toEqual([[place, "kept"]]);
});

test("the service does not keep a removed argument that is never sent, or that the service does not store", () => {
  const before = { ...from, rollout: { wait: false }, onDestroy: "fail", revisionSource: "repohost" };
  expect(effectsOf(from, withCapabilities(contract, { nullClears: false }), before)).toEqual([
    ["revisionSource", "newRevision"],
    ["rollout.wait", "inPlace"],
    ["onDestroy", "inPlace"],
  ]);
});

test("a removed secret is cleared, unless the list becomes empty and the service reads an empty list as unchanged", () => {
  const keepingLast = withCapabilities(contract, { nullClears: false });
  const withoutB = { ...from, secrets: { A: "1" } };
  const withoutSecrets = { ...from, secrets: undefined };
  for (const profile of [contract, keepingLast])
    expect(effectsOf(withoutB, profile)).toEqual([["secrets.B", "mayRevise"]]);
  expect(effectsOf(withoutSecrets, keepingLast)).toEqual([
    ["secrets.A", "kept"],
    ["secrets.B", "kept"],
  ]);
  expect(effectsOf(withoutSecrets, contract)).toEqual([
    ["secrets.A", "mayRevise"],
    ["secrets.B", "mayRevise"],
  ]);
});

test("an entry with a dot in its name can be the last entry of its list", () => {
  const rows = { keys: replace("keys", keyedText("value")), note: inPlace("note", text) };
  const keepingLast = withCapabilities(contract, { nullClears: false });
  const [last] = changesBetween(rows, { keys: { "a.b": "1" } }, {}, keepingLast);
  expect(last?.effect).toBe("kept");
  const [other] = changesBetween(rows, { keys: { "a.b": "1", c: "2" } }, { keys: { c: "2" } }, keepingLast);
  expect(other?.effect).toBe("replace");
});

test("triggers and a changed revision source make no revision if the program manages no revision fields", () => {
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
  // The removal of the last revision field makes a revision. A change to `connection` replaces the
  // deployment, although `connection` is never sent.
  expect(effectsOf({ ...from, sourceRevisionConfig: undefined }, contract)).toEqual([
    ["sourceRevisionConfig.repoRef", "newRevision"],
  ]);
  const unmanaged = { ...from, sourceRevisionConfig: undefined };
  expect(effectsOf({ ...unmanaged, connection: "other" }, contract, unmanaged)).toEqual([
    ["connection", "replace"],
  ]);
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
])("the strongest of the changes %j decides the verdict: %s", (changes, expected) => {
  expect(verdictOf(changes)).toBe(expected);
});

test.each([UNKNOWN, { repoRef: UNKNOWN }])(
  "if the revision fields are %j and may turn out to be absent, a change to the revision source or to the triggers may make a revision",
  (sourceRevisionConfig) => {
    const olds = { ...from, revisionTriggers: { day: "monday" }, revisionSource: "repohost" };
    const verdict = (news: Properties, config: unknown = sourceRevisionConfig) =>
      verdictOf(
        changesBetween(deploymentRows, olds, { ...olds, sourceRevisionConfig: config, ...news }, contract),
      );
    expect(verdict({ revisionSource: "internal_source" })).toBe("mayRevise");
    expect(verdict({ revisionTriggers: undefined })).toBe("mayRevise");
    // If all fields of the revision turn out to be absent, the apply refuses a new trigger. One known field is enough
    // to make a revision.
    expect(verdict({ revisionTriggers: { day: "tuesday" } })).toBe("newRevision");
    const oneKnown = { repoRef: UNKNOWN, graphConfigPath: "graph.json" };
    expect(verdict({ revisionSource: "internal_source" }, oneKnown)).toBe("newRevision");
  },
);
