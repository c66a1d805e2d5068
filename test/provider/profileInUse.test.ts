import { inputsFrom } from "../../provider/deployment/arguments";
import { hasChanges, planUpdate } from "../../provider/deployment/plan";
import { PROFILE_IN_USE } from "../../provider/identity";
import { planListener } from "../../provider/listenerPlan";
import { PROFILES, type Profile, profileInUse, profileNamed } from "../../provider/profiles";

const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;
const overrides = {
  classes: { "sourceConfig.resourceSpec": "newRevision" },
  capabilities: { nullClears: false },
  wire: { name: "title" },
};
const overridden = profileNamed("contract", overrides, new Set(["sourceConfig.resourceSpec", "name"]));
const args = { name: "chat", source: "external_docker", sourceRevisionConfig: { imageUri: "one" } };

test("a report is told the profile in few words, with what decides a verdict, and nothing of the plain default", () => {
  expect(profileInUse(contract)).toBeUndefined();
  expect(profileInUse(langsmith)).toBe("langsmith");
  expect(profileInUse(overridden)).toEqual({
    name: "contract",
    classes: { "sourceConfig.resourceSpec": "newRevision" },
    capabilities: { nullClears: false },
  });
  expect(inputsFrom(undefined, args, contract)).not.toHaveProperty(PROFILE_IN_USE);
  expect(inputsFrom(undefined, args, langsmith)).toHaveProperty(PROFILE_IN_USE, "langsmith");
});

test("an override that changes nothing is not told", () => {
  const same = profileNamed(
    "contract",
    { classes: {}, capabilities: { nullClears: contract.capabilities.nullClears } },
    new Set(),
  );
  expect(profileInUse(same)).toBeUndefined();
});

test.each([
  ["a state from before there was such a note", inputsFrom(undefined, args, contract), langsmith],
  ["another profile than at the last apply", inputsFrom(undefined, args, langsmith), contract],
  ["overrides", inputsFrom(undefined, args, contract), overridden],
])("%s is no change, and counts no revision", (_what, olds, profile) => {
  const news = inputsFrom(olds, args, profile);
  expect(hasChanges(planUpdate(olds, news, profile))).toBe(false);
  expect(news.revisionGeneration).toBe(1);
  const listener = { computeType: "k8s", computeId: "cluster" };
  expect(planListener(listener, { ...listener, [PROFILE_IN_USE]: "langsmith" }, profile).verdict).toBe(
    "unchanged",
  );
});

test("a note in the arguments themselves is not believed", () => {
  expect(inputsFrom(undefined, { ...args, [PROFILE_IN_USE]: "langsmith" }, contract)).not.toHaveProperty(
    PROFILE_IN_USE,
  );
});
