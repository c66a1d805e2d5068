import { deploymentRows } from "../../../provider/fields/deployment";
import { FILTERS } from "../../../provider/fields/filters";
import type { Kind, Rows } from "../../../provider/fields/kind";
import { listenerRows } from "../../../provider/fields/listener";
import { PROFILES, profileNamed } from "../../../provider/profiles/profiles";

function pathsOf(rows: Rows, prefix = ""): string[] {
  return Object.entries(rows).flatMap(([name, { kind }]) => [
    `${prefix}${name}`,
    ...pathsWithin(kind, `${prefix}${name}.`),
  ]);
}
function pathsWithin(kind: Kind<unknown>, prefix: string): string[] {
  if (kind.type === "list") return pathsWithin(kind.of, prefix);
  return kind.type === "object" || kind.type === "keyed" ? pathsOf(kind.rows, prefix) : [];
}
const tables = [deploymentRows, listenerRows];
const lists = Object.entries(FILTERS).flatMap(([list, rows]) => pathsOf(rows, `${list}.`));
const paths = new Set([...pathsOf({ ...deploymentRows, ...listenerRows }), ...lists]);

test.each(Object.entries(PROFILES))(
  "every path in profile %s is a field with a unique name",
  (name, profile) => {
    expect(profile.name).toBe(name);
    const { only, requiredOnCreate, conflicts } = profile.sources;
    const { wire, values, classes, fields, bounds, alwaysSent, older } = profile;
    const named = [
      ...[wire, values, classes, fields, bounds, only, requiredOnCreate].flatMap(Object.keys),
      ...alwaysSent,
      ...Object.keys(older.fields ?? {}),
      ...conflicts.flatMap(({ path, against }) => [path, against]),
    ];
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
    expect(profile.integrations.every((place) => /^(\/\w+)+$/.test(place))).toBe(true);
  },
);

test("a profile without overrides is the profile itself", () => {
  expect(profileNamed("contract", undefined, tables)).toBe(PROFILES.contract);
});

test("an override may set a class that another profile has, and two fields may swap their names", () => {
  const swapped = { secrets: "secret_references", secretReferences: "secrets" };
  const classes = { "sourceConfig.repoUrl": "inPlace", "sourceConfig.listenerConfig": "replace" };
  expect(profileNamed("langsmith", { classes, wire: swapped }, tables)).toMatchObject({
    classes,
    wire: swapped,
  });
});

test("an override does not change the profiles themselves", () => {
  const before = JSON.stringify(PROFILES);
  const profile = profileNamed(
    "langsmith",
    { capabilities: { nullClears: true }, classes: { secrets: "inPlace" } },
    tables,
  );
  expect(profile.capabilities).toMatchObject({ nullClears: true, deleteDeployment: true });
  expect(profile.classes).toMatchObject({ secrets: "inPlace", secretReferences: "newRevision" });
  expect(JSON.stringify(PROFILES)).toBe(before);
});

test.each<[name: string, overrides: unknown, words: string]>([
  ["constructor", undefined, 'profile: got "constructor"; allowed: contract, langsmith'],
  [
    "contract",
    [],
    "profileOverrides: got [] (a list); allowed: an object with the fields {query, wire, classes, capabilities}",
  ],
  [
    "contract",
    { wire: { "sourceConfig.nope": "x" } },
    'profileOverrides.wire: "sourceConfig.nope" is not a field',
  ],
  [
    "contract",
    { wire: { name: "" } },
    'profileOverrides.wire.name: got "" (a string); allowed: a string that is not empty',
  ],
  [
    "contract",
    { query: { deployments: { nam: "p" } } },
    "profileOverrides.query.deployments.nam: is not a setting; did you mean name?",
  ],
  [
    "contract",
    { capabilities: { nullClears: "yes" } },
    'profileOverrides.capabilities.nullClears: got "yes" (a string); allowed: true or false',
  ],
  // A class for an argument that no update sends would promise the impossible.
  ...["rollout", "rollout.wait", "connection", "revisionTriggers", "onDestroy"].map(
    (path): [string, unknown, string] => [
      "contract",
      { classes: { [path]: "inPlace" } },
      `profileOverrides.classes: "${path}" cannot be overridden: no request sends it`,
    ],
  ),
  ...["name", "source", "computeId"].map((path): [string, unknown, string] => [
    "langsmith",
    { classes: { [path]: "inPlace" } },
    `profileOverrides.classes: "${path}" cannot be overridden: no update can send it`,
  ]),
  [
    "contract",
    { wire: { rollout: "rollout" } },
    'profileOverrides.wire: "rollout" cannot be overridden: no request sends it',
  ],
  [
    "contract",
    { wire: { secrets: "secret_references" } },
    'profileOverrides.wire: "secrets" and "secretReferences" are both "secret_references" on the wire; give each a name of its own',
  ],
  [
    "langsmith",
    { wire: { "sourceRevisionConfig.repoRef": "langgraph_config_path" } },
    'profileOverrides.wire: "sourceRevisionConfig.repoRef" and "sourceRevisionConfig.graphConfigPath" are both "langgraph_config_path"',
  ],
  [
    "contract",
    { wire: { "sourceConfig.resourceSpec.minScale": "max_scale" } },
    'profileOverrides.wire: "sourceConfig.resourceSpec.minScale" and "sourceConfig.resourceSpec.maxScale" are both "max_scale"',
  ],
])("profile %s with overrides %j is refused with the path", (name, overrides, words) => {
  expect(() => profileNamed(name, overrides, tables)).toThrow(words);
});

test.each([
  { query: undefined, wire: undefined },
  { query: { deployments: { name: undefined }, revisions: undefined } },
  { capabilities: { nullClears: undefined } },
])("an undefined override does not count: %o", (overrides) => {
  expect(profileNamed("contract", overrides, tables)).toEqual(PROFILES.contract);
});
