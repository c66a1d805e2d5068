import { faultsOf } from "../../../provider/deployment/arguments";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";
import type { Properties } from "../../../provider/schema/value";
import { provided } from "../../support/providerRun";
import { deployment } from "../../support/resourceCalls";

const langsmith = PROFILES.langsmith as Profile;

const placesOf = (args: Properties): string[] =>
  faultsOf(args, langsmith, () => false, "creation").map(({ path }) => path.join("."));

const image = { name: "chat", source: "external_docker", sourceRevisionConfig: { imageUri: "chat:1" } };

test.each<[string, Properties, string[]]>([
  [
    "a wrong kind, and a broken rule between other arguments",
    { ...image, secrets: { KEY: "a" }, environment: { KEY: "b" }, sourceConfig: { buildOnPush: "yes" } },
    ["sourceConfig.buildOnPush", "environment.KEY"],
  ],
  [
    "a wrong kind inside a list",
    { ...image, adopt: 1, secretReferences: [1], environment: { KEY: "b" }, secrets: { KEY: "a" } },
    ["secretReferences", "adopt", "environment.KEY"],
  ],
  [
    "a value of a wrong kind, which does not also count as missing",
    { ...image, sourceRevisionConfig: { imageUri: 1 } },
    ["sourceRevisionConfig.imageUri"],
  ],
  [
    "a misspelled name, which does not also count as missing",
    { ...image, sourceRevisionConfig: { imageUrl: "chat:1" } },
    ["sourceRevisionConfig.imageUrl"],
  ],
])("check reports all faults together, and each fault only once: %s", (_what, args, places) => {
  expect(placesOf(args)).toEqual(places);
});

test.each<[string, Properties, string]>([
  ["secrets", { KEY: null, OK: "value" }, "KEY"],
  ["environment", { LEVEL: null }, "LEVEL"],
  ["secretReferences", { KEY: null }, "KEY"],
])(
  "a variable in %s that is null is refused; any other null means that the argument is not set",
  async (map, variables, name) => {
    const { session } = await provided();
    const check = (args: Properties) => deployment.check(session, undefined, { ...image, ...args });
    const { failures } = await check({ [map]: variables });
    expect(failures).toEqual([
      { path: [map, name], words: expect.stringMatching(/^has no value; allowed: (a string|an object)/) },
    ]);
    expect((await check({ [map]: null, sourceConfig: { customUrl: null } })).failures).toEqual([]);
  },
);

test("a trigger may have the name of an output", async () => {
  const { session } = await provided();
  const triggers = { revisionTriggers: { revisionGeneration: "5" } };
  expect((await deployment.check(session, undefined, { ...image, ...triggers })).inputs).toMatchObject(
    triggers,
  );
});

const faultOfSource = (args: Properties, profile: Profile): string | undefined =>
  faultsOf({ ...image, ...args }, profile, () => false, "update")[0]?.words;

test("if a program names a source by the service's word, the error suggests the word that programs use", () => {
  for (const word of ["github", "GitHub", "gitub"])
    expect(faultOfSource({ source: word }, langsmith)).toMatch(/\. Did you mean "repohost"\?$/);
  expect(faultOfSource({ revisionSource: "github" }, langsmith)).toMatch(/\. Did you mean "repohost"\?$/);
});
