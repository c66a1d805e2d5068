/** Tests which outputs stay known at preview. Resources that depend only on known outputs stay out of the plan. */
import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener } from "../../support/engine/form";
import { chat, SECOND_IMAGE, sent } from "../../support/engine/programs";
import { testStack } from "../../support/engine/stack";

/** Declares a resource that depends on each of these outputs. A plan lists only resources whose inputs change. */
function follow(resource: pulumi.Resource, name: string, outputs: readonly string[]): void {
  const all = resource as unknown as { readonly [output: string]: pulumi.Output<unknown> };
  for (const output of outputs) {
    const value = all[output] as pulumi.Output<unknown>;
    new pulumi.Stash(`${name}-${output}`, { input: value.apply((own) => [own ?? "none"]) });
  }
}

interface Recorded {
  readonly chat: readonly string[];
  readonly cluster: readonly string[];
}

const declares = (minScale: number, imageUri: string, k8sNamespaces: string[], recorded?: Recorded) => () => {
  const sourceConfig = { resourceSpec: { minScale, maxScale: 3 } };
  const deployment = new Deployment("chat", chat({ sourceConfig, sourceRevisionConfig: { imageUri } }));
  const computeConfig = { k8sNamespaces };
  const listener = new Listener("cluster", { computeType: "k8s", computeId: "cluster-1", computeConfig });
  follow(deployment, "chat", recorded?.chat ?? []);
  follow(listener, "cluster", recorded?.cluster ?? []);
};

test("an update in place makes only updatedAt unknown; a new revision also makes the outputs about revisions unknown", async () => {
  const { emulator, stack } = await testStack();
  emulator.addListener({ compute_id: "cluster-1", compute_config: { k8s_namespaces: ["a"] } });
  await stack.up(declares(1, "chat:1", ["a"]));
  // Resources depend only on outputs that the state has, because in a preview the SDK treats every other output as
  // unknown.
  const outputsOf = async (name: string) =>
    Object.keys((await stack.recorded(name)).outputs).filter((output) => !output.startsWith("__"));
  const recorded = { chat: await outputsOf("chat"), cluster: await outputsOf("cluster") };
  expect([recorded.chat.length, recorded.cluster.length]).toEqual([20, 6]);
  await stack.up(declares(1, "chat:1", ["a"], recorded));
  expect((await stack.preview(declares(1, "chat:1", ["a"], recorded))).steps).toEqual({});

  const inPlace = await stack.preview(declares(2, "chat:1", ["a", "b"], recorded));
  expect(inPlace.error).toBeUndefined();
  expect(Object.keys(inPlace.steps).sort()).toEqual([
    "chat",
    "chat-sourceConfig",
    "chat-updatedAt",
    "cluster",
    "cluster-computeConfig",
    "cluster-updatedAt",
  ]);
  expect(sent(inPlace)).toEqual([]);

  const revision = await stack.preview(declares(1, SECOND_IMAGE, ["a"], recorded));
  const moving = Object.keys(revision.steps);
  for (const output of ["latestRevisionId", "activeRevisionId", "revisionKey", "revisionGeneration"])
    expect(moving).toContain(`chat-${output}`);
  for (const output of ["name", "source", "createdAt", "tenantId", "url", "serviceUrl", "sourceConfig"])
    expect(moving).not.toContain(`chat-${output}`);
});
