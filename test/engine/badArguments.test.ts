import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "../../sdk";
import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { Deployment, dynamicOnly } from "../support/engine/form";
import { type TestStack, testStack } from "../support/engine/stack";

const declares = (args: object, options?: pulumi.CustomResourceOptions) => (): void => {
  new Deployment(
    "chat",
    {
      name: "chat",
      source: "external_docker",
      sourceRevisionConfig: { imageUri: "i:1" },
      ...args,
    } as DeploymentArgs,
    options,
  );
};

/** Returns the refusals that a preview prints; fails if the preview sent a request. */
async function refusals(stack: TestStack, args: object): Promise<string[]> {
  const run = await stack.preview(declares(args));
  expect(run.error).toBeDefined();
  expect(run.requests).toEqual([]);
  expect(blemishesOf(run)).toEqual([]);
  expect(run.text).not.toMatch(/hush-hush/);
  return errorsOf(run);
}

test("a preview reports all faults of a deployment's arguments at once, each with the path, the value and the allowed values", async () => {
  const { stack } = await testStack();
  const faults = await refusals(stack, {
    name: " ",
    sourceConfg: { buildOnPush: true },
    sourceConfig: {
      buildOnPushh: true,
      installCommand: pulumi.secret(["hush-hush"]),
      buildCommand: Promise.resolve(pulumi.secret(["hush-hush"])),
      resourceSpec: { minScale: -1, volumes: [{ nam: "cache" }] },
    },
    sourceRevisionConfig: { repoCommitSha: "0a1b2c3", imageUri: ["i:1"] },
    secrets: { OPENAI_API_KEY: ["hush-hush"], "": "hush-hush" },
  });
  const said = faults.map((fault) => fault.replace('deployment "chat": ', ""));
  expect(said.sort()).toEqual([
    'name: got " " (a string); allowed: a string that is not empty',
    "secrets.OPENAI_API_KEY: got a list (secret, so not shown); allowed: a string",
    "secrets: has an entry without a name",
    "sourceConfg: is not an argument; did you mean sourceConfig?",
    "sourceConfig.buildCommand: got a list (secret, so not shown); allowed: a string",
    "sourceConfig.buildOnPushh: is not an argument; did you mean buildOnPush?",
    "sourceConfig.installCommand: got a list (secret, so not shown); allowed: a string",
    "sourceConfig.resourceSpec.minScale: got -1 (a number); allowed: an integer of at least 0",
    "sourceConfig.resourceSpec.volumes.0.nam: is not an argument; did you mean name?",
    'sourceRevisionConfig.imageUri: got ["i:1"] (a list); allowed: a string',
    "sourceRevisionConfig.repoCommitSha: is an output of the service; to build a commit, set repoRef to a ref",
  ]);
});

const ofTheClass = dynamicOnly("generated classes take these options, and the engine heeds them");

ofTheClass("the program fails if a resource has an option that would have no effect", async () => {
  const { stack } = await testStack();
  const thrown: unknown[] = [];
  const run = await stack.preview(() => {
    for (const options of [
      { replaceOnChanges: ["name"] },
      { replacementTrigger: "1" },
      { replaceWith: [pulumi.rootStackResource as pulumi.Resource] },
      { customTimeouts: { create: "10 minutes" } },
      { customTimeouts: { update: "0s" } },
      { customTimeouts: { delete: 90 as unknown as string } },
    ]) {
      try {
        declares({}, options)();
      } catch (error) {
        thrown.push(error);
      }
    }
  });
  expect(run.error).toBeUndefined();
  // The engine shows a `RunError` without its stack trace.
  expect(thrown.every((error) => pulumi.RunError.isInstance(error))).toBe(true);
  expect(thrown.map((error) => (error as Error).message)).toEqual([
    expect.stringMatching(/^Deployment "chat": .*replaceOnChanges has no effect .*revisionTriggers.*name$/),
    expect.stringMatching(/^Deployment "chat": the option replacementTrigger would replace .*change name$/),
    expect.stringMatching(/^Deployment "chat": the option replaceWith would replace .*revisionTriggers/),
    'Deployment "chat": customTimeouts.create: got "10 minutes"; allowed: a duration such as "90s", "10m" or "1h30m"',
    expect.stringMatching(/customTimeouts.update: got "0s"; allowed: /),
    expect.stringMatching(/customTimeouts.delete: got 90; allowed: /),
  ]);
});
