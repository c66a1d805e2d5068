// The plans that are recorded. A plan starts with an empty stack, or (`from: 1`) with the program's resources of round
// 0.
const langsmith = {
  service: { profile: "langsmith" },
  environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" },
};
const cluster = (emulator) => void emulator.addListener({ compute_id: "agents-cluster", version: "1.0.0" });
const failing = (emulator) => emulator.failNext({ kind: "revision", status: "BUILD_FAILED" });

const dynamic = [
  { name: "create", before: cluster },
  { name: "inPlace", from: 1, flags: ["--show-sames"] },
  { name: "revision", from: 1 },
  { name: "both", from: 1 },
  { name: "secrets", from: 1 },
  { name: "marked", from: 1, flags: ["--show-sames"] },
  { name: "replace", from: 1 },
  { name: "replaceSteps", program: "replace", from: 1, flags: ["--show-replacement-steps", "--show-sames"] },
  { name: "delete", from: 1 },
  { name: "unknown", from: 1 },
  { name: "failed", from: 1, between: again(failing) },
  {
    name: "unfinished",
    from: 1,
    between: again((emulator) => Object.assign(emulator.behaviour, { revisionSeconds: 600 })),
  },
  { name: "fleet", from: 1 },
  { name: "nothing", program: "revision", from: 1, between: upTo(1) },
  { name: "nothingShown", program: "revision", from: 1, between: upTo(1), flags: ["--show-sames"] },
  { name: "dependents", from: 1, before: cluster, flags: ["--show-sames"] },
  { name: "pending", program: "create", before: cluster, between: pendingCreate },
  { name: "langsmith", from: 1, ...langsmith },
  {
    name: "langsmithSteps",
    program: "langsmith",
    from: 1,
    ...langsmith,
    flags: ["--show-replacement-steps"],
  },
  {
    name: "leftovers",
    from: 1,
    ...langsmith,
    between: undeleted,
    flags: ["--show-replacement-steps", "--show-sames"],
    result: true,
    meanwhile: (emulator) => emulator.failNext(refusedDelete(emulator, "first-scaled")),
  },
  { name: "refs", from: 1 },
  { name: "forbidden", from: 1 },
  { name: "adopted", from: 1, between: forgetting },
  { name: "hostile", from: 1 },
  {
    name: "overridden",
    from: 1,
    config: {
      "deployment-control:profileOverrides": '{"classes": {"sourceConfig.resourceSpec": "newRevision"}}',
    },
  },
  { name: "mixed", from: 1, result: true, flags: ["--show-sames"] },
  { name: "cutShort", from: 1, result: true, meanwhile: failing },
  {
    name: "surprising",
    from: 1,
    result: true,
    meanwhile: (emulator) =>
      Object.assign(emulator.behaviour, {
        extraRevisionOn: ["source_config.build_command"],
        secretsMakeRevision: false,
      }),
  },
];

/** The scenarios that are also recorded in the plugin's form, for example `secrets` as `pluginSecrets`. */
const IN_BOTH = [
  "inPlace",
  "secrets",
  "marked",
  "replaceSteps",
  "unknown",
  "failed",
  "dependents",
  "hostile",
  "adopted",
  "langsmith",
  "leftovers",
  "mixed",
  "cutShort",
  "surprising",
];

export const scenarios = [
  ...dynamic,
  ...dynamic
    .filter(({ name }) => IN_BOTH.includes(name))
    .map((scenario) => ({
      ...scenario,
      name: `plugin${scenario.name[0].toUpperCase()}${scenario.name.slice(1)}`,
      program: scenario.program ?? scenario.name,
      form: "plugin",
    })),
];

/** Makes an `up` fail, so that the next plan must show the failure. */
function again(happening) {
  return async ({ emulator, pulumi }) => {
    happening(emulator);
    await pulumi.tolerating(1, "up", "--yes", "--skip-preview");
  };
}

function upTo(round) {
  return ({ pulumi }) => pulumi.succeeding(round, "up", "--yes", "--skip-preview");
}

/** Runs an `up` with replacements whose old deployments cannot be deleted. */
async function undeleted({ emulator, pulumi }) {
  for (const name of ["revised", "scaled", "stays"])
    emulator.failNext(refusedDelete(emulator, `first-${name}`));
  await pulumi.tolerating(2, "up", "--yes", "--skip-preview");
}

function refusedDelete(emulator, name) {
  const { id } = emulator.deployments().find((each) => each.name === name);
  return { kind: "status", status: 403, match: { method: "DELETE", pathPattern: id } };
}

/** Removes an existing deployment from the state. */
async function forgetting({ pulumi }) {
  const state = JSON.parse(await pulumi.succeeding(0, "stack", "export"));
  const { resources } = state.deployment;
  state.deployment.resources = resources.filter(({ urn }) => !urn.endsWith("::before"));
  await pulumi.importing(state);
}

/** Makes the state that an `up` leaves if it is killed during a creation. */
async function pendingCreate({ pulumi }) {
  const state = JSON.parse(await pulumi.succeeding(0, "stack", "export"));
  const type = "pulumi-nodejs:dynamic/deployment-control:Deployment";
  const urn = `urn:pulumi:dev::agents::${type}::chat`;
  state.deployment.pending_operations = [{ resource: { urn, custom: true, type }, type: "creating" }];
  await pulumi.importing(state);
}
