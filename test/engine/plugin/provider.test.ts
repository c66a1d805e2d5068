import * as pulumi from "@pulumi/pulumi";
import { offencesIn } from "../../../sdk/report/evaluate/gates";
import { Deployment } from "../../support/engine/form";
import { reported } from "../../support/engine/planReport";
import { chat, FIRST_IMAGE, SECOND_IMAGE } from "../../support/engine/programs";
import { service, stackOn, testStack } from "../../support/engine/stack";

/** The provider's class, written as Pulumi's code generator writes it. */
class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("deployment-control", name, args);
  }
}

test("each explicit provider uses its own service, whatever the environment says and however the provider is named", async () => {
  const environment = await service();
  const services = { west: await service(), "default-east": await service(), default_west: await service() };
  const stack = await stackOn(environment);
  const program = () => {
    for (const [name, { url }] of Object.entries(services)) {
      const provider = new Provider(name, { baseUrl: url });
      new Deployment(name, chat({ name }), { provider });
    }
    new Deployment("chat", chat());
  };
  expect((await stack.up(program)).error).toBeUndefined();
  const names = [environment, ...Object.values(services)].map((each) =>
    each.deployments().map(({ name }) => name),
  );
  expect(names).toEqual([["chat"], ...Object.keys(services).map((name) => [name])]);
  expect((await stack.up(program)).steps).toEqual({});
  expect((await stack.refresh()).error).toBeUndefined();
});

test("the report applies the stack's setting newRevisions to an explicit provider's deployments, because the provider does not get the setting", async () => {
  const [environment, east] = [await service(), await service()];
  const stack = await stackOn(environment);
  const program = (imageUri: string) => () => {
    const provider = new Provider("east", { baseUrl: east.url });
    new Deployment("east", chat({ sourceRevisionConfig: { imageUri } }), { provider });
  };
  expect((await stack.up(program(FIRST_IMAGE))).error).toBeUndefined();
  await stack.stack.setConfig("deployment-control:newRevisions", { value: "forbid" });
  const config = { "deployment-control:newRevisions": "forbid" };
  const report = await reported(stack, program(SECOND_IMAGE), config);
  expect(report.failure).toBeNull();
  expect(offencesIn([report], { failOn: [], allow: ["east"] })).toEqual([
    expect.stringMatching(/newRevisions is "forbid" .*: 1 offender$/),
    `  deployment "east": sourceRevisionConfig.imageUri ${FIRST_IMAGE} -> ${SECOND_IMAGE}`,
  ]);
  const [first] = report.deployments;
  expect(first?.warnings).toContainEqual(expect.stringContaining("Set newRevisions on the provider too"));
  const still = await reported(stack, program(FIRST_IMAGE), config);
  expect(offencesIn([still], { failOn: [], allow: [] })).toEqual([]);
});

test("a provider with its own base URL does not use the environment's key, and says which argument sets a key", async () => {
  const environments = await service({ apiKey: "key-of-environment" });
  const [west, open] = [await service({ apiKey: "key-of-west" }), await service()];
  const stack = await stackOn(environments, {
    environment: { DEPLOYMENT_CONTROL_API_KEY: "key-of-environment", DEPLOYMENT_CONTROL_AUTH_SCHEME: "" },
  });
  const program = (settings: pulumi.Inputs) => () => {
    new Deployment("open", chat({ name: "open" }), { provider: new Provider("open", { baseUrl: open.url }) });
    const provider = new Provider("west", { baseUrl: west.url, ...settings });
    new Deployment("west", chat({ name: "west" }), { provider });
    new Deployment("chat", chat());
  };
  const failed = await stack.up(program({}));
  expect(failed.error).toContain("answered 401");
  const line =
    "the environment's connection belongs to another service, so this provider ignores DEPLOYMENT_CONTROL_API_KEY. Set apiKey on the provider if it needs them";
  const warnings = failed.diagnostics.filter(({ message }) => message.startsWith(line));
  expect(warnings.map(({ urn }) => urn.split("::").at(-1)).sort()).toEqual(["open", "west"]);
  const done = await stack.up(program({ apiKey: pulumi.secret("key-of-west") }));
  expect(done.error).toBeUndefined();
  for (const { requests } of [west, open])
    expect(JSON.stringify(requests.map(({ headers }) => headers))).not.toContain("key-of-environment");
  expect([west, open, environments].map((each) => each.deployments().length)).toEqual([1, 1, 1]);
});

test("if two resources adopt the same deployment through two providers, preview and up fail, and the error names a resource that manages the deployment", async () => {
  const { emulator, stack } = await testStack();
  expect((await stack.up(() => new Deployment("chat", chat()))).error).toBeUndefined();
  const adopt = emulator.deployments()[0]?.id as string;
  const other = await stackOn(emulator, { name: "other" });
  const adopting = (names: readonly string[]) => () => {
    for (const name of names) {
      const provider = new Provider(name, { baseUrl: emulator.url });
      new Deployment(name, chat({ adopt }), { provider });
    }
  };
  const refusal = new RegExp(
    `the deployment ${adopt} is managed by "(one|two)" of this program already. Declare it only once`,
  );
  const preview = await other.preview(adopting(["one", "two"]));
  expect(preview.error).toMatch(refusal);
  expect(preview.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  // In a new run of the engine, one of the two resources may adopt the id if the other does not.
  for (const name of ["one", "two"]) expect((await other.preview(adopting([name]))).error).toBeUndefined();
  const up = await other.up(adopting(["one", "two"]));
  expect(up.error).toMatch(refusal);
  expect(up.requests.filter(({ method }) => method !== "GET").length).toBeLessThan(2);
});
