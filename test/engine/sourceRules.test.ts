/** What the public service would refuse by a deployment's source is refused by the preview, and nothing is sent. */
import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "../../sdk/index";
import { blemishesOf, errorsOf } from "../support/engine/errorText";
import { Deployment } from "../support/engine/form";
import { sent } from "../support/engine/programs";
import { closeAll, service, stackOn, type TestStack } from "../support/engine/stack";

afterEach(() => closeAll());

const LISTENER = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const LANGSMITH = { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } };

const fromRepository: DeploymentArgs = {
  name: "chat",
  source: "repohost",
  sourceConfig: { repoUrl: "https://git.example/acme/chat", buildOnPush: true },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "graph.json" },
};
const fromImage: DeploymentArgs = {
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
};

const declares = (args: DeploymentArgs) => (): void => void new Deployment("chat", args);

/** The places that a preview of the arguments finds fault with, after it has sent nothing. */
async function refused(stack: TestStack, args: DeploymentArgs): Promise<string[]> {
  const preview = await stack.preview(declares(args));
  expect(preview.error).toBeDefined();
  expect(sent(preview)).toEqual([]);
  expect(blemishesOf(preview)).toEqual([]);
  return errorsOf(preview).map((error) => error.replace('deployment "chat": ', "").split(":")[0] as string);
}

test("a creation that does not fit its source is refused, all faults at once", async () => {
  const stack = await stackOn(await service({ profile: "langsmith" }), LANGSMITH);
  expect(
    await refused(stack, {
      ...fromRepository,
      sourceConfig: {
        ...fromRepository.sourceConfig,
        customUrl: "https://chat.example",
        listenerId: LISTENER,
        listenerConfig: { k8sNamespace: "agents" },
        resourceSpec: { cpu: 0.25 },
      },
      sourceRevisionConfig: {
        repoRef: "refs/tags/v1",
        imageUri: "registry.example/chat:1",
        sourceTarballPath: "uploads/1.tgz",
      },
      secretReferences: { TOKEN: { secretName: "tokens", secretKey: "chat" } },
    }),
  ).toEqual([
    "secretReferences",
    "sourceConfig.customUrl",
    "sourceConfig.resourceSpec",
    "sourceConfig.listenerId",
    "sourceConfig.listenerConfig",
    "sourceRevisionConfig.imageUri",
    "sourceRevisionConfig.sourceTarballPath",
    "sourceRevisionConfig.graphConfigPath",
    "sourceConfig.buildOnPush",
    "sourceConfig.resourceSpec.cpu",
  ]);
  expect(
    await refused(stack, {
      ...fromImage,
      sourceConfig: {
        integrationId: LISTENER,
        repoUrl: "https://git.example/acme/chat",
        deploymentType: "dev",
        buildOnPush: false,
        resourceSpec: { queueCpu: 9 },
      },
      sourceRevisionConfig: { ...fromImage.sourceRevisionConfig, repoRef: "main", graphConfigPath: "g.json" },
    }),
  ).toEqual([
    "sourceConfig.integrationId",
    "sourceConfig.repoUrl",
    "sourceConfig.deploymentType",
    "sourceConfig.buildOnPush",
    "sourceRevisionConfig.repoRef",
    "sourceRevisionConfig.graphConfigPath",
    "sourceConfig.resourceSpec.queueCpu",
  ]);
  expect(await refused(stack, { ...fromImage, source: "internal_template" })).toEqual(["source"]);
});

test("the preview accepts a value that is unknown until the apply", async () => {
  const stack = await stackOn(await service({ profile: "langsmith" }), LANGSMITH);
  const preview = await stack.preview(() => {
    const open = <T>(): pulumi.Output<T> => pulumi.output("").apply(() => pulumi.unknown as T);
    new Deployment("chat", {
      ...fromRepository,
      sourceConfig: { buildOnPush: true, resourceSpec: { minScale: open<number>() } },
      sourceRevisionConfig: { repoRef: open<string>(), graphConfigPath: open<string>() },
    });
  });
  expect(preview.error).toBeUndefined();
  expect(preview.steps).toEqual({ chat: "create" });
});

test("an update obeys the same rules, except those of creations; a replacement is a creation", async () => {
  const stack = await stackOn(await service({ profile: "langsmith" }), LANGSMITH);
  expect((await stack.up(declares(fromRepository))).error).toBeUndefined();

  const tag = { repoRef: "refs/tags/v1", graphConfigPath: "graph.json" };
  expect(await refused(stack, { ...fromRepository, sourceRevisionConfig: tag })).toEqual([
    "sourceConfig.buildOnPush",
  ]);
  const unmanaged = { ...fromRepository, sourceRevisionConfig: { repoRef: "main" } };
  expect((await stack.preview(declares(unmanaged))).error).toBeUndefined();
  const sourceConfig = { ...fromRepository.sourceConfig, repoUrl: "https://git.example/acme/other" };
  expect(await refused(stack, { ...unmanaged, name: "chat-2", sourceConfig })).toEqual([
    "sourceRevisionConfig.graphConfigPath",
  ]);

  const uploaded = { graphConfigPath: "graph.json", sourceTarballPath: "uploads/1.tgz" };
  const fromUpload = { ...fromRepository, sourceRevisionConfig: uploaded };
  expect(await refused(stack, fromUpload)).toEqual(["sourceRevisionConfig.sourceTarballPath"]);
  const up = await stack.up(declares({ ...fromUpload, revisionSource: "internal_source" }));
  expect(up.error).toBeUndefined();
});
