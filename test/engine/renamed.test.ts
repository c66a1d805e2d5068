import type * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../sdk/index";
import { reported } from "../support/engine/planReport";
import { chat } from "../support/engine/programs";
import { testStack } from "../support/engine/stack";

/** A program that declares the service's deployment "chat" under the name `name`. */
const named =
  (name: string, options: pulumi.CustomResourceOptions = {}, args: Partial<DeploymentArgs> = {}) =>
  () =>
    void new Deployment(name, chat({ secrets: undefined, ...args }), options);

test("if a renamed resource adopts the deployment that it managed before, the deployment stays on the service, and the old entry leaves the state", async () => {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  await stack.up(named("old"));
  const adopting = named("new", {}, { adopt: true });
  const { refusals, deployments } = await reported(stack, adopting);
  expect(refusals).toBeUndefined();
  expect(deployments).toContainEqual(expect.objectContaining({ name: "old", fate: "retained" }));
  expect((await stack.up(adopting)).error).toBeUndefined();
  expect((await stack.up(adopting)).steps).toEqual({});
  expect(emulator.deployments()).toHaveLength(1);
});

test("two resources can swap their deployments with adopt, and nothing is deleted or left over", async () => {
  const { emulator, stack } = await testStack({ profile: "langsmith" });
  const ids: Record<string, string> = {};
  const declares = (a: string, b: string) => () => {
    named("a", {}, { name: a, adopt: ids[a] ?? false })();
    named("b", {}, { name: b, adopt: ids[b] ?? false })();
  };
  await stack.up(declares("one", "two"));
  for (const { name, id } of emulator.deployments()) ids[name] = id;
  const fates = (await reported(stack, declares("two", "one"))).deployments.map(({ fate }) => fate);
  expect(fates).toEqual(["retained", "retained"]);
  expect((await stack.up(declares("two", "one"))).error).toBeUndefined();
  expect((await stack.up(declares("two", "one"))).steps).toEqual({});
  const managed = [(await stack.recorded("a")).id, (await stack.recorded("b")).id];
  expect(managed).toEqual([ids.two, ids.one]);
  expect(emulator.deployments()).toHaveLength(2);
});
