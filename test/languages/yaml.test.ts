/** Runs programs in YAML with Pulumi's YAML host and the provider plugin. */

import { started } from "../support/embeddedService";
import { runs } from "../support/examples/example";
import { PROVIDERS_WORDS } from "../support/languages/badInput";
import { hosting, WITH_BUILD } from "../support/languages/hosts";
import { Project } from "../support/languages/project";
import { quickstart } from "../support/languages/quickstart";

const projectOf = async (): Promise<Project> => Project.on(await started({}), "yaml", hosting("yaml"));

/** A YAML program that declares a deployment with these arguments. The program leaves out undefined arguments. */
function declaring(args: Readonly<Record<string, string | undefined>>): string {
  const all = Object.entries({ name: "chat", source: "external_docker", ...args });
  const lines = all
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `      ${name}: ${value}\n`);
  return `resources:\n  chat:\n    type: deployment-control:Deployment\n    properties:\n${lines.join("")}`;
}

test(
  "the example yaml runs as its README says: `pulumi up` twice, each edit, destroy",
  () => runs("yaml", { ...quickstart, environment: hosting("yaml") }),
  WITH_BUILD,
);

test(
  "at preview, the provider refuses all wrong values at once, in words that fit every language",
  async () => {
    const project = await projectOf();
    const args = {
      name: '" "',
      source: "docker",
      sourceConfig: "{ listenerId: prod-listener, resourceSpec: { minScale: -1, maxScale: 1.5 } }",
      secrets: '{ "": hush-hush }',
      rollout: "{ timeoutSeconds: 0 }",
      adopt: "chat",
    };
    project.write("Pulumi.yaml", declaring(args));
    expect((await project.refusals()).sort()).toEqual(PROVIDERS_WORDS);
  },
  WITH_BUILD,
);
