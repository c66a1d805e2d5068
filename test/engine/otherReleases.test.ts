import type { DeploymentArgs } from "../../sdk/index";
import { Deployment } from "../support/engine/form";
import { reported } from "../support/engine/planReport";
import { chat, FIRST_IMAGE } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

const RELEASE = "registry.example/chat:9";

/** The changes that must not touch the image, by the name of the deployment that makes the change. */
const CHANGES: { readonly [name: string]: Partial<DeploymentArgs> } = {
  secret: { secrets: { OPENAI_API_KEY: "sk-second-secret-value" } },
  variable: { environment: { MODE: "fast" } },
  scale: { sourceConfig: { resourceSpec: { minScale: 2, maxScale: 3 } } },
};

const program = (isChanged: boolean) => () => {
  for (const ignoreChanges of [[], ["sourceRevisionConfig"]])
    for (const [change, args] of Object.entries(CHANGES)) {
      const name = `${change}-${ignoreChanges.length}`;
      new Deployment(name, chat({ name, ...(isChanged && args) }), { ignoreChanges });
    }
};

test("if the program changes something else after another tool's release, the new revisions run that release", async () => {
  const { emulator, stack } = await testStack({ profile: "langsmith", revisionSeconds: 0 });
  await stack.up(program(false));
  for (const { id } of emulator.deployments())
    await fetch(`${emulator.url}/v2/deployments/${id}/revisions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ source_revision_config: { image_uri: RELEASE } }),
    });
  const { deployments } = await reported(stack, program(true));
  expect(deployments.map(({ verdict }) => verdict)).toEqual(Array(6).fill("new-revision"));
  expect((await stack.up(program(true))).error).toBeUndefined();
  for (const { name, revisions, source_revision_config } of emulator.deployments()) {
    expect([name, revisions.length, source_revision_config.image_uri]).toEqual([name, 3, RELEASE]);
    const { outputs } = await stack.recorded(name);
    expect(outputs.sourceRevisionConfig).toEqual({ imageUri: FIRST_IMAGE });
  }
  expect((await stack.up(program(true))).steps).toEqual({});
});
