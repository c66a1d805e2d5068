import { inputsFrom } from "../../../provider/deployment/arguments";
import { hasChanges, planUpdate } from "../../../provider/deployment/plan";
import { deploymentRows } from "../../../provider/fields/deployment";
import { listenerRows } from "../../../provider/fields/listener";
import type { Properties } from "../../../provider/fields/value";
import { PROFILE_IN_USE } from "../../../provider/host/schema";
import { PROFILES, type Profile, profileInUse, profileNamed } from "../../../provider/profiles/profiles";
import { EngineRun } from "../../../provider/run/run";
import { planTable } from "../../../provider/table/definition";
import { deployment, listener } from "../../support/resourceCalls";

const contract = PROFILES.contract as Profile;
const langsmith = PROFILES.langsmith as Profile;
const overrides = {
  classes: { "sourceConfig.resourceSpec": "newRevision" },
  capabilities: { nullClears: false },
  wire: { name: "title" },
};
const overridden = profileNamed("contract", overrides, [deploymentRows]);
const args = { name: "chat", source: "external_docker", sourceRevisionConfig: { imageUri: "one" } };

test("the state records the profile briefly, with everything that decides a verdict, and omits the default", () => {
  expect(profileInUse(contract, false)).toBeUndefined();
  expect(profileInUse(contract, true)).toBe("contract");
  expect(profileInUse(langsmith, false)).toBe("langsmith");
  expect(profileInUse(overridden, false)).toEqual({
    name: "contract",
    classes: { "sourceConfig.resourceSpec": "newRevision" },
    capabilities: { nullClears: false },
  });
});

test("an override that changes nothing is not recorded", () => {
  const same = profileNamed(
    "contract",
    { classes: {}, capabilities: { nullClears: contract.capabilities.nullClears } },
    [deploymentRows],
  );
  expect(profileInUse(same, false)).toBeUndefined();
});

test.each([
  ["a state from before there was such a note", {}, langsmith],
  ["another profile than at the last apply", { [PROFILE_IN_USE]: "langsmith" }, contract],
  ["overrides", {}, overridden],
])(
  "%s: the recorded profile is not a change, and leaves the generation as it is",
  (_what, noted, profile) => {
    const olds = { ...inputsFrom(undefined, args, profile), ...noted };
    const news: Properties = { ...inputsFrom(olds, args, profile), [PROFILE_IN_USE]: profile.name };
    expect(hasChanges(planUpdate(olds, news, profile))).toBe(false);
    expect(news.revisionGeneration).toBe(1);
    const listener = { computeType: "k8s", computeId: "cluster" };
    expect(
      planTable(
        { rows: listenerRows },
        { ...listener, ...noted },
        { ...listener, [PROFILE_IN_USE]: "langsmith" },
        profile,
      ).verdict,
    ).toBe("unchanged");
  },
);

test("a profile record in the program's arguments is ignored", async () => {
  expect(await noted({}, {}, { [PROFILE_IN_USE]: "langsmith" })).toEqual([undefined, undefined]);
});

const OVERRIDES = JSON.stringify({ classes: overrides.classes });
const reporter = { info: async () => {}, warn: async () => {} };

/** The profile record that `check` makes under the stack's configuration and the environment. */
async function noted(
  settings: { readonly [key: string]: string },
  environment: { readonly [variable: string]: string },
  further: Properties = {},
): Promise<unknown[]> {
  const before = process.env;
  process.env = { ...before, ...environment };
  try {
    const source = (key: string) => ({ baseUrl: "https://host.example", journal: "off", ...settings })[key];
    const session = new EngineRun(source, reporter);
    const checked = [
      await deployment.check(session, undefined, { ...args, ...further }),
      await listener.check(session, undefined, { computeType: "k8s", computeId: "cluster", ...further }),
    ];
    return checked.map(({ inputs, failures }) => failures[0] ?? inputs[PROFILE_IN_USE]);
  } finally {
    process.env = before;
  }
}

const toContract = { DEPLOYMENT_CONTROL_PROFILE: "contract" };
const toLangsmith = { DEPLOYMENT_CONTROL_PROFILE: "langsmith" };
const toNoOverrides = { DEPLOYMENT_CONTROL_PROFILE_OVERRIDES: "{}" };

test.each([
  ["nothing is configured", {}, {}, undefined],
  ["only the environment says so", {}, toContract, undefined],
  ["the environment overrides the stack's profile", { profile: "langsmith" }, toContract, "contract"],
  [
    "the environment overrides the stack's overrides",
    { profileOverrides: OVERRIDES },
    toNoOverrides,
    "contract",
  ],
  ["the stack names it itself", { profile: "contract" }, {}, "contract"],
  ["another one is in use", { profile: "contract" }, toLangsmith, "langsmith"],
])(
  "if %s, the record makes readers of a preview independent of its configuration",
  async (_where, settings, environment, expected) => {
    expect(await noted(settings, environment)).toEqual([expected, expected]);
  },
);

test("a named connection with the default profile needs no record, whatever the stack's profile", async () => {
  const connections = JSON.stringify({ eu: { baseUrl: "https://eu.example" } });
  const settings = { profile: "langsmith", connections };
  expect(await noted(settings, {}, { connection: "eu" })).toEqual([undefined, undefined]);
});
