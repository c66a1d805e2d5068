import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../sdk/emulator/index";
import { Deployment, type DeploymentArgs } from "../../sdk/index";
import { created } from "../support/embeddedService";
import { chat, FIRST_IMAGE } from "../support/engine/programs";
import { closeAll, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const URN = "urn:pulumi:test::engine::pulumi-nodejs:dynamic/deployment-control:Deployment::";

/** A program of deployments by their names in it, each with the arguments of `chat` and these. */
const program = (all: { readonly [name: string]: Partial<DeploymentArgs> }) => () => {
  for (const [name, args] of Object.entries(all)) new Deployment(name, chat({ secrets: undefined, ...args }));
};

/** A deployment of that name that somebody else made. */
async function existing(emulator: Emulator): Promise<string> {
  const { id } = await created(emulator, {
    name: "chat",
    source: "external_docker",
    source_config: { resource_spec: { min_scale: 1, max_scale: 3 } },
    source_revision_config: { image_uri: FIRST_IMAGE },
    secrets: [],
  });
  return id;
}

test("two resources that would create one name are refused at preview, with both URNs", async () => {
  const emulator = await service();
  const stack = await stackOn(emulator);
  const preview = await stack.preview(() => {
    new Deployment("first", chat());
    const parent = new pulumi.Stash("team", { input: "any" });
    new Deployment("second", chat({ adopt: true }), { parent });
  });
  expect(preview.error).toContain(
    `two resources of this program are to create a deployment named "chat" on ${emulator.url}`,
  );
  expect(preview.error).toContain(`${URN}first`);
  expect(preview.error).toContain(
    "pulumi:index:Stash$pulumi-nodejs:dynamic/deployment-control:Deployment::second",
  );
  expect(preview.error).toContain(
    "Give each a name of its own; to manage one that exists, set adopt to its id",
  );
  expect(preview.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a second resource of a name that another one has is refused at preview", async () => {
  const stack = await stackOn(await service());
  await stack.up(program({ first: {} }));
  const preview = await stack.preview(program({ first: {}, second: {} }));
  expect(preview.error).toContain(`${URN}second is to create a deployment named "chat"`);
  expect(preview.error).toContain(`${URN}first of this program has that name`);
});

test("names on different services, and two of one name that are adopted by their ids, are fine", async () => {
  const [emulator, other] = [await service(), await service()];
  const connections = JSON.stringify({ other: { baseUrl: other.url } });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_CONNECTIONS: connections } });
  const ids = await Promise.all([existing(emulator), existing(emulator)]);
  const declared = program({
    first: { adopt: ids[0] as string },
    second: { adopt: ids[1] as string },
    elsewhere: { connection: "other" },
  });
  expect((await stack.preview(declared)).error).toBeUndefined();
  expect((await stack.up(declared)).error).toBeUndefined();
  expect((await stack.preview(declared)).steps).toEqual({});
  expect(other.deployments()).toHaveLength(1);
});

test("a name that another resource gives up is free in the next up only, and the preview says so", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  await stack.up(program({ first: {} }));
  const taking = program({ first: { name: "chat-2" }, second: {} });
  const preview = await stack.preview(taking);
  expect(preview.error).toContain(
    `${URN}first of this program gives that name up only when everything is created`,
  );
  await stack.up(program({ first: { name: "chat-2" } }));
  expect((await stack.preview(taking)).error).toBeUndefined();
});

test("a replacement that keeps its name is refused where another resource has it too, before anything is deleted", async () => {
  const emulator = await service({ profile: "langsmith" });
  const stack = await stackOn(emulator, { environment: { DEPLOYMENT_CONTROL_PROFILE: "langsmith" } });
  const ids = await Promise.all([existing(emulator), existing(emulator)]);
  const declared = (source: "external_docker" | "internal_docker") =>
    program({
      first: { adopt: ids[0] as string },
      second: { adopt: ids[1] as string, source, sourceConfig: {} },
    });
  expect((await stack.up(declared("external_docker"))).error).toBeUndefined();
  const preview = await stack.preview(declared("internal_docker"));
  expect(preview.error).toContain(`${URN}first of this program has that name`);
});
