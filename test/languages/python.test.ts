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
