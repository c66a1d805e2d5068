/** Runs programs in Python with the package that Pulumi generates from the schema, and the provider plugin. */
import { started } from "../support/embeddedService";
import { runs } from "../support/examples/example";
import { PROVIDERS_WORDS } from "../support/languages/badInput";
import { Project } from "../support/languages/project";
import { installedPackage } from "../support/languages/python";
import { quickstart } from "../support/languages/quickstart";

const installed = installedPackage();
const { testOfPython } = installed;
/** A project whose Python program declares a deployment with these arguments, written in Python. */
async function declaring(args: string): Promise<Project> {
  const project = await Project.on(await started({}), "python", installed.environment);
  const imports = "from pulumi_deployment_control import Deployment, DeploymentSourceConfigArgs";
  project.write("__main__.py", `${imports}\n\nDeployment("chat", ${args})\n`);
  return project;
}

testOfPython("the example python runs as its README says: up, up again, each edit, destroy", () =>
  runs("python", { ...quickstart, environment: installed.environment }),
);

testOfPython(
  "at preview, the provider refuses all wrong values at once, in words that fit every language",
  async () => {
    const project = await declaring(`name=" ", source="docker", adopt="chat", secrets={"": "hush-hush"},
    rollout={"timeout_seconds": 0},
    source_config={"listener_id": "prod-listener", "resource_spec": {"min_scale": -1, "max_scale": 1.5}}`);
    expect((await project.refusals()).sort()).toEqual(PROVIDERS_WORDS);
  },
);

testOfPython(
  "at preview, the provider refuses unknown fields of a dictionary and values of the wrong type",
  async () => {
    const project = await declaring(`name="chat", source="external_docker",
    source_config={"buildOnPushh": True, "build_on_push": "yes"},
    source_revision_config={"image_uri": 7}, revision_triggers={"build": 1}`);
    expect((await project.refusals()).sort()).toEqual([
      'revisionTriggers.build: got 1 (a number); allowed: a string. Write "1"',
      'sourceConfig.buildOnPush: got "yes" (a string); allowed: true or false',
      "sourceConfig.buildOnPushh: is not an argument; did you mean buildOnPush?",
      'sourceRevisionConfig.imageUri: got 7 (a number); allowed: a string. Write "7"',
    ]);
  },
);

testOfPython.each([
  [
    "an unknown argument",
    'name="chat", source="external_docker", colour="red"',
    "unexpected keyword argument 'colour'",
  ],
  [
    "a list for a secret",
    'name="chat", source="external_docker", secrets={"TOKEN": ["hush-hush"]}',
    "While processing input: 'secrets'",
  ],
])("%s ends the Python program before the plan", async (_, args, says) => {
  const said = await (await declaring(args)).refusal();
  expect(said).toContain(says);
});
