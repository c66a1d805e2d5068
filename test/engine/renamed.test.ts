import { execFileSync } from "node:child_process";
import path from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../sdk/index";
import { reported } from "../support/engine/planReport";
import { chat } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const TYPE = "pulumi-nodejs:dynamic/deployment-control:Deployment";

/** A deployment "chat" of the service, under that name in the program. */
const named =
  (name: string, options: pulumi.CustomResourceOptions = {}, args: Partial<DeploymentArgs> = {}) =>
  () =>
    void new Deployment(name, chat({ secrets: undefined, ...args }), options);

const URN = `urn:pulumi:test::engine::${TYPE}::`;

test("if a deployment is renamed without an alias, the plan fails and names the alias to add", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  await stack.up(named("old"));
  const { refusals } = await reported(stack, named("new"));
  expect(refusals).toEqual([expect.stringContaining('add the option aliases: [{ name: "old" }] to "')]);
  const up = await stack.up(named("new"));
  expect(up.error).toContain(
    "If this program had it under another name or parent, say so with the option aliases",
  );
  const aliased = named("new", { aliases: [{ name: "old" }] });
  expect((await reported(stack, aliased)).refusals).toBeUndefined();
  expect((await stack.up(aliased)).error).toBeUndefined();
  expect(emulator.deployments()).toHaveLength(1);
});

test("the plan also fails for a renamed deployment that would adopt itself, and the state can be repaired after such an up", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  await stack.up(named("old"));
  const adopting = named("new", {}, { adopt: true });
  const { refusals } = await reported(stack, adopting);
  expect(refusals).toEqual([expect.stringContaining('aliases: [{ name: "old" }] to "new"')]);
  const up = await stack.up(adopting);
  expect(up.error).toContain(`Remove this old entry from the state: pulumi state delete '${URN}old'`);
  const env = { ...process.env, ...stack.environment };
  const remove = [
    "state",
    "delete",
    `${URN}old`,
    "--yes",
    "--stack",
    "test",
    "--cwd",
    path.resolve(stack.folder),
  ];
  execFileSync("pulumi", remove, { env });
  expect((await stack.up(adopting)).steps).toEqual({});
  expect(emulator.deployments()).toHaveLength(1);
});

test("if the names or the services differ, a creation and a deletion are about two deployments", async () => {
  const [emulator, other] = [await service(), await service()];
  const connections = JSON.stringify({ other: { baseUrl: other.url } });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  await stack.up(named("old"));
  expect((await reported(stack, named("new", {}, { name: "chat-2" }))).refusals).toBeUndefined();
  expect((await reported(stack, named("new", {}, { connection: "other" }))).refusals).toBeUndefined();
});
