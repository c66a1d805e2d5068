/**
 * Programs whose resources run in several provider processes. The engine asks one process to delete a deployment that a
 * second process takes over for a different resource.
 */
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk/index";
import { Deployment, generated, isPlugin, Listener, typeOf } from "../support/engine/form";
import { chat, lines, SECOND_IMAGE, sent } from "../support/engine/programs";
import { type Run, type TestStack, testStack } from "../support/engine/stack";

/** A provider that the program declares. It has a separate process and, in the plugin form, no journal. */
class Provider extends pulumi.ProviderResource {
  constructor(name: string) {
    super(isPlugin ? "deployment-control" : "pulumi-nodejs", name, isPlugin ? { journal: "off" } : {});
  }
}

type Declare = (name: string, args: sdk.DeploymentArgs) => sdk.Deployment;

const byDefault: Declare = (name, args) => new Deployment(name, args);
const byExplicit: Declare = (name, args) => new Deployment(name, args, { provider: new Provider("own") });
const OtherForm: typeof sdk.Deployment = isPlugin ? sdk.Deployment : generated("Deployment");
const byOtherForm: Declare = (name, args) => new OtherForm(name, args);

const program = (declare: Declare, name: string, args: Partial<sdk.DeploymentArgs> = {}) => {
  return () => ({ id: declare(name, chat({ onDestroy: "delete", ...args })).id });
};
const writes = (run: Run) => sent(run).filter((request) => !request.startsWith("GET"));

async function running(first: () => object) {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  const { error, outputs } = await stack.up(first);
  expect(error).toBeUndefined();
  return { stack, id: String(outputs.id), ids: () => emulator.deployments().map(({ id }) => id) };
}

/** Checks that the next update changes nothing, and that destroying the stack deletes the deployment once. */
async function goesOn(stack: TestStack, again: () => object) {
  const next = await stack.up(again);
  expect([next.error, next.steps, sent(next)]).toEqual([undefined, {}, []]);
  const destroy = await stack.destroy();
  expect([destroy.error, writes(destroy)]).toEqual([undefined, ["DELETE /v2/deployments/ID"]]);
  expect(stack.emulator.deployments()).toEqual([]);
}

test.each([
  ["from the default provider to an explicit provider", byDefault, byExplicit],
  ["from an explicit provider to the default provider", byExplicit, byDefault],
  ["from this form to the other form, without an alias", byDefault, byOtherForm],
])("`pulumi up` does not delete a deployment that moves to a new resource (%s)", async (_, from, to) => {
  const { stack, id, ids } = await running(program(from, "a"));
  const sourceRevisionConfig = { imageUri: SECOND_IMAGE };
  const adopting = program(to, "b", { adopt: id, sourceRevisionConfig });
  const up = await stack.up(adopting);
  expect(up.error).toBeUndefined();
  expect(writes(up)).toEqual([expect.stringMatching(/^(PATCH|POST) \/v2\/deployments\/ID/)]);
  expect(lines(up)).toContain(`stays as it is (id ${id}): it is kept for "b" of this program`);
  expect(ids()).toEqual([id]);
  await goesOn(stack, adopting);
});

test("`pulumi up` does not delete a listener that a second resource takes over through a different provider", async () => {
  const { stack } = await testStack({ profile: "langsmith" });
  const args = { computeType: "k8s", computeId: "one", onDestroy: "delete" } as const;
  const before = () => ({ id: new Listener("a", args).id });
  const after = () => ({ id: new Listener("b", args, { provider: new Provider("own") }).id });
  const { error, outputs } = await stack.up(before);
  expect(error).toBeUndefined();
  const up = await stack.up(after);
  expect([up.error, up.outputs, writes(up)]).toEqual([undefined, outputs, []]);
  const destroy = await stack.destroy();
  expect([destroy.error, writes(destroy)]).toEqual([undefined, ["DELETE /v2/listeners/ID"]]);
});

test("a forced replacement does not delete the old deployment if the new provider adopts that deployment", async () => {
  const { stack, id, ids } = await running(program(byDefault, "a"));
  const moving = program(byExplicit, "a", { adopt: id });
  const up = await stack.up(moving, { replace: [`urn:pulumi:test::engine::${typeOf("Deployment")}::a`] });
  expect(up.error).toBeUndefined();
  expect(writes(up)).not.toContain("DELETE /v2/deployments/ID");
  expect(lines(up)).toContain(`stays as it is (id ${id}): the program still manages it under this name`);
  expect(ids()).toEqual([id]);
  await goesOn(stack, moving);
});

async function replaced(after: () => object, order: readonly string[]): Promise<void> {
  const { stack, id, ids } = await running(program(byDefault, "a"));
  const up = await stack.up(after);
  expect([up.error, writes(up)]).toEqual([undefined, order]);
  expect(ids()).not.toContain(id);
  expect(ids()).toHaveLength(1);
  await goesOn(stack, after);
}
const [creation, deletion] = ["POST /v2/deployments", "DELETE /v2/deployments/ID"] as const;

test("a new provider deletes the old deployment if the deployment's new name requires the replacement", () =>
  replaced(program(byExplicit, "a", { name: "chat-2" }), [creation, deletion]));

(isPlugin ? test : test.skip)(
  "a new provider deletes the old deployment if only the engine requests the replacement",
  () => {
    const options = { replaceOnChanges: ["sourceRevisionConfig"] };
    const declare: Declare = (name, args) =>
      new Deployment(name, args, { provider: new Provider("own"), ...options });
    const sourceRevisionConfig = { imageUri: SECOND_IMAGE };
    return replaced(program(declare, "a", { sourceRevisionConfig }), [deletion, creation]);
  },
);
