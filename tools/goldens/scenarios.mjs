// The plans to record. By default, a plan starts with an empty stack. With `from: 1`, the stack already has the
// program's resources of round 0.
const cluster = (emulator) => void emulator.addListener({ compute_id: "agents-cluster", version: "1.0.0" });
const mixed = { from: 1, result: true, flags: ["--show-sames"] };

export const scenarios = [
  { name: "create", before: cluster },
  { name: "inPlace", from: 1, flags: ["--show-sames"] },
  // This plan has each verdict once.
  { name: "mixed", ...mixed },
  { name: "pluginMixed", program: "mixed", form: "plugin", ...mixed },
  { name: "pluginMarked", program: "marked", form: "plugin", from: 1, flags: ["--show-sames"] },
  // Here, deployments need a listener, and a rollout and smoke tests depend on these deployments.
  { name: "dependents", from: 1, before: cluster, flags: ["--show-sames"] },
  // Here, the service does not behave as its profile says.
  {
    name: "langsmith",
    service: { profile: "langsmith" },
    environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" },
    from: 1,
    result: true,
    meanwhile: (emulator) => Object.assign(emulator.behaviour, { extraRevisionOn: ["display_name"] }),
  },
  // This plan follows a failed update. In the next update, `restored` fails too, and its old settings are restored.
  {
    name: "failed",
    from: 1,
    between: failedUp,
    result: true,
    meanwhile: (emulator) => fail(emulator, "restored"),
  },
  { name: "forbidden", from: 1 },
  { name: "adopted", from: 1, between: forgetting },
  { name: "hostile", from: 1 },
  { name: "fleet", from: 1 },
];

function fail(emulator, name) {
  const { id } = emulator.deployments().find((each) => each.name === `agents-${name}`);
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED", match: { pathPattern: new RegExp(id) } });
}

async function failedUp({ emulator, pulumi }) {
  fail(emulator, "first");
  await pulumi.tolerating(1, "up", "--yes", "--skip-preview");
}

/** Removes the deployment `before` from the state, but not from the service. */
async function forgetting({ pulumi }) {
  const state = JSON.parse(await pulumi.succeeding(0, "stack", "export"));
  const { resources } = state.deployment;
  state.deployment.resources = resources.filter(({ urn }) => !urn.endsWith("::before"));
  await pulumi.importing(state);
}
