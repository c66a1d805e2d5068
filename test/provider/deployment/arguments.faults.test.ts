import { faultsOf } from "../../../provider/deployment/arguments";
import type { Properties } from "../../../provider/fields/value";
import { PROFILES, type Profile } from "../../../provider/profiles/profiles";

const langsmith = PROFILES.langsmith as Profile;

const placesOf = (args: Properties): string[] =>
  faultsOf(args, langsmith, () => false, "creation").map(({ path }) => path.join("."));

const image = { name: "chat", source: "external_docker", sourceRevisionConfig: { imageUri: "chat:1" } };

test.each<[string, Properties, string[]]>([
  [
    "a wrong kind and a rule between others",
    { ...image, secrets: { KEY: "a" }, environment: { KEY: "b" }, sourceConfig: { buildOnPush: "yes" } },
    ["sourceConfig.buildOnPush", "environment.KEY"],
  ],
  [
    "a wrong kind inside a list",
    { ...image, adopt: 1, secretReferences: [1], environment: { KEY: "b" }, secrets: { KEY: "a" } },
    ["secretReferences", "adopt", "environment.KEY"],
  ],
  [
    "a value of a wrong kind is not missing too",
    { ...image, sourceRevisionConfig: { imageUri: 1 } },
    ["sourceRevisionConfig.imageUri"],
  ],
  [
    "a misspelled name is not missing too",
    { ...image, sourceRevisionConfig: { imageUrl: "chat:1" } },
    ["sourceRevisionConfig.imageUrl"],
  ],
])("check reports these faults together: %s", (_what, args, places) => {
  expect(placesOf(args)).toEqual(places);
});
