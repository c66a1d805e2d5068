import { PLAN } from "../../../provider/engine/schema";
import { PROFILES, type Profile, profileInUse, profileNamed } from "../../../provider/profiles/profiles";
import { EngineRun } from "../../../provider/run/run";
import { deploymentRows } from "../../../provider/schema/deployment";
import { FILTERS } from "../../../provider/schema/filters";
import type { Kind, Rows } from "../../../provider/schema/kind";
import { listenerRows } from "../../../provider/schema/listener";
import { type Properties, valueAt } from "../../../provider/schema/value";
import { deployment, listener } from "../../support/resourceCalls";

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

test.each(Object.entries(PROFILES))("every path in profile %s is the path of a field", (name, profile) => {
  expect(profile.name).toBe(name);
  const { only, requiredOnCreate, conflicts } = profile.sources;
  const { wire, values, classes, fields, bounds, alwaysSent, older } = profile;
  const profilePaths = [
    ...[wire, values, classes, fields, bounds, only, requiredOnCreate].flatMap(Object.keys),
    ...alwaysSent,
    ...Object.keys(older.fields ?? {}),
    ...conflicts.flatMap(({ path, against }) => [path, against]),
  ];
  expect(profilePaths.filter((path) => !paths.has(path))).toEqual([]);
  expect(profile.integrations.every((place) => /^(\/\w+)+$/.test(place))).toBe(true);
});

test("without overrides, a profile is used unchanged", () => {
  expect(profileNamed("contract", undefined, tables)).toBe(PROFILES.contract);
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
  [
    "contract",
    { classes: { secrets: "sometimes" } },
    'profileOverrides.classes.secrets: got "sometimes" (a string); allowed: "replace", "newRevision", "mayRevise"',
  ],
  // No update sends these arguments, so a class would promise an effect that cannot happen.
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
    'profileOverrides.wire: "secrets" and "secretReferences" are both "secret_references" on the wire; set a different name for each',
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
])("profile %s with overrides %j is refused, and the error names the path", (name, overrides, words) => {
  expect(() => profileNamed(name, overrides, tables)).toThrow(words);
});

test.each([
  { query: undefined, wire: undefined },
  { query: { deployments: { name: undefined }, revisions: undefined } },
  { capabilities: { nullClears: undefined } },
])("an undefined override has no effect: %o", (overrides) => {
  expect(profileNamed("contract", overrides, tables)).toEqual(PROFILES.contract);
});

const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;
const overrides = {
  classes: { "sourceConfig.resourceSpec": "newRevision" },
  capabilities: { nullClears: false },
  wire: { name: "title" },
};
const overridden = profileNamed("contract", overrides, [deploymentRows]);
const args = { name: "chat", source: "external_docker", sourceRevisionConfig: { imageUri: "one" } };

test("the record of a profile has the profile's name, and the overrides that change verdicts", () => {
  expect(profileInUse(contract)).toBe("contract");
  expect(profileInUse(langsmith)).toBe("langsmith");
  expect(profileInUse(overridden)).toEqual({
    name: "contract",
    classes: { "sourceConfig.resourceSpec": "newRevision" },
    capabilities: { nullClears: false },
  });
});

test("an override that changes nothing is not recorded", () => {
  const unchanged = profileNamed(
    "contract",
    { classes: {}, capabilities: { nullClears: contract.capabilities.nullClears } },
    [deploymentRows],
  );
  expect(profileInUse(unchanged)).toBe("contract");
});

test("a forged plan in the program's arguments is ignored", async () => {
  const forged = { [PLAN]: { version: 1, number: 7, profile: "langsmith" } };
  expect(await profileRecords({}, {}, forged)).toEqual(["contract", "contract"]);
});

const OVERRIDES = JSON.stringify({ classes: overrides.classes });
const reporter = { info: async () => {}, warn: async () => {} };

/** Runs `check` on a deployment and a listener with these settings and variables, and returns the profile records. */
async function profileRecords(
  settings: { readonly [key: string]: string },
  environment: { readonly [variable: string]: string },
  otherArguments: Properties = {},
): Promise<unknown[]> {
  const before = process.env;
  process.env = { ...before, ...environment };
  try {
    const source = (key: string) => ({ baseUrl: "https://host.example", journal: "off", ...settings })[key];
    const session = new EngineRun(source, reporter);
    const checked = [
      await deployment.check(session, undefined, { ...args, ...otherArguments }),
      await listener.check(session, undefined, {
        computeType: "k8s",
        computeId: "cluster",
        ...otherArguments,
      }),
    ];
    return checked.map(({ inputs, failures }) => failures[0] ?? valueAt(inputs, [PLAN, "profile"]));
  } finally {
    process.env = before;
  }
}

const toContract = { DEPLOYMENT_CONTROL_PROFILE: "contract" };
const toLangsmith = { DEPLOYMENT_CONTROL_PROFILE: "langsmith" };
const toNoOverrides = { DEPLOYMENT_CONTROL_PROFILE_OVERRIDES: "{}" };

test.each([
  ["nothing is configured", {}, {}, "contract"],
  ["only the environment sets the default profile", {}, toContract, "contract"],
  ["the environment overrides the stack's profile", { profile: "langsmith" }, toContract, "contract"],
  [
    "the environment overrides the stack's overrides",
    { profileOverrides: OVERRIDES },
    toNoOverrides,
    "contract",
  ],
  ["the stack names the default profile", { profile: "contract" }, {}, "contract"],
  ["the stack and the environment set different profiles", { profile: "contract" }, toLangsmith, "langsmith"],
])(
  "if %s (configuration %j, environment %j), the inputs record the profile %j",
  async (_where, settings, environment, expected) => {
    expect(await profileRecords(settings, environment)).toEqual([expected, expected]);
  },
);

test("a named connection has the profile of its own settings, whatever profile the stack has", async () => {
  const connections = JSON.stringify({ eu: { baseUrl: "https://eu.example" } });
  const settings = { profile: "langsmith", connections };
  expect(await profileRecords(settings, {}, { connection: "eu" })).toEqual(["contract", "contract"]);
});
