import "../../support/engine/asPlugin";
import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../../support/engine/form";
import { chat, declares } from "../../support/engine/programs";
import { closeAll, service, stackOn } from "../../support/engine/stack";

afterEach(() => closeAll());

/** As code generation makes it. */
class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("deployment-control", name, args);
  }
}

const KEY = "deployment-control:apiKey";

test("a key that is set again without --secret, and is the same, is refused", async () => {
  const stack = await stackOn(await service());
  await stack.stack.setConfig(KEY, { value: "key-hush-hush", secret: true });
  expect((await stack.up(declares())).error).toBeUndefined();
  expect((await stack.up(declares())).steps).toEqual({});
  await stack.stack.setConfig(KEY, { value: "key-hush-hush" });
  for (const run of [await stack.preview(declares()), await stack.up(declares())]) {
    expect(run.error).toContain(`configuration ${KEY} holds a key but is not a secret`);
    expect(run.text).not.toContain("key-hush-hush");
  }
});

test("a program's own provider whose name begins like the engine's goes to its own service", async () => {
  const [environment, east, west] = [await service(), await service(), await service()];
  const stack = await stackOn(environment);
  const program = () => {
    for (const [name, { url }] of Object.entries({ "default-east": east, default_west: west })) {
      const provider = new Provider(name, { baseUrl: url });
      new Deployment(name, chat({ name }), { provider });
    }
    new Deployment("chat", chat());
  };
  expect((await stack.up(program)).error).toBeUndefined();
  const names = [environment, east, west].map((each) => each.deployments().map(({ name }) => name));
  expect(names).toEqual([["chat"], ["default-east"], ["default_west"]]);
});

test("each of a program's own providers goes to its service, whatever the environment says", async () => {
  const [environment, east, west] = [await service(), await service(), await service()];
  const stack = await stackOn(environment);
  const program = () => {
    for (const [name, { url }] of Object.entries({ east, west })) {
      const provider = new Provider(name, { baseUrl: url });
      new Deployment(name, chat({ name }), { provider });
    }
    new Deployment("chat", chat());
  };
  expect((await stack.up(program)).error).toBeUndefined();
  const names = [environment, east, west].map((each) => each.deployments().map(({ name }) => name));
  expect(names).toEqual([["chat"], ["east"], ["west"]]);
  expect((await stack.up(program)).steps).toEqual({});
  expect((await stack.refresh()).error).toBeUndefined();
});
