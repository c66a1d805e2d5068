/** Tests resources that use the same name or id in one program. A single run plans them in sequence. */
import type { Properties } from "../../../provider/schema/value";
import type { EmulatorOptions } from "../../../sdk/emulator";
import { createdDeployment } from "../../support/createdDeployment";
import { created, started } from "../../support/embeddedService";
import { failureOf, provided, sessionOn, URN } from "../../support/providerRun";
import { createDeployment, deployment } from "../../support/resourceCalls";

const called = (name: string, args: Properties = {}) => ({
  __urn: URN.replace(/chat$/, name),
  name: "chat",
  source: "external_docker",
  sourceRevisionConfig: { imageUri: "registry.example/chat:1" },
  rollout: { wait: false },
  ...args,
});

const namesake = {
  name: "chat",
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.example/chat:1" },
};

async function program(options: EmulatorOptions = {}) {
  const { id, outputs, later } = await createdDeployment(called("first"), options);
  const { session } = later();
  const check = (olds: Properties | undefined, news: Properties) => deployment.check(session, olds, news);
  /** Plans the first resource with these arguments. */
  const plan = async (args: Properties = {}) => {
    const { inputs } = await check(outputs, called("first", args));
    return deployment.diff(session, id, outputs, { ...inputs, ...called("first", args) }, true);
  };
  return { check, plan };
}

test("if two resources would create deployments with the same name, the second resource is refused, and the error names both resources", async () => {
  const { emulator, session } = await provided();
  await deployment.check(session, undefined, called("first"));
  const error = await failureOf(deployment.check(session, undefined, called("second", { adopt: true })));
  expect(error.message).toContain(
    `two resources of this program are to create a deployment named "chat" on ${emulator.url}`,
  );
  for (const words of ['"first" and "second". Set a different name for each'])
    expect(error.message).toContain(words);
});

test.each([
  ["has", {}, "has that name"],
  ["gives up in the same `pulumi up`", { name: "chat-2" }, "keeps that name until everything is created"],
])("a creation is refused if it needs a name that another resource %s", async (_when, args, words) => {
  const { check, plan } = await program({ profile: "langsmith" });
  await plan(args);
  const error = await failureOf(check(undefined, called("second")));
  expect(error.message).toContain('"second" is to create a deployment named "chat"');
  expect(error.message).toContain(`"first" of this program ${words}`);
});

test("deployments on two services, or deployments that are adopted by id, may have the same name", async () => {
  const [emulator, far] = [await started(), await started()];
  const connections = JSON.stringify({ far: { baseUrl: far.url } });
  const { session } = sessionOn(emulator, { connections });
  for (const name of ["first", "second"]) {
    const { id: adopt } = await created(emulator, namesake);
    expect((await deployment.check(session, undefined, called(name, { adopt }))).failures).toEqual([]);
  }
  const elsewhere = called("elsewhere", { connection: "far" });
  expect((await deployment.check(session, undefined, elsewhere)).failures).toEqual([]);
});

describe("two connections to one service", () => {
  const reached = async () => {
    const { emulator } = await provided();
    const { id } = await created(emulator, namesake);
    const connections = JSON.stringify({
      one: { baseUrl: emulator.url, headers: { "X-Tenant-Id": "one" } },
      two: { baseUrl: emulator.url, headers: { "X-Tenant-Id": "two" } },
    });
    const { session } = sessionOn(emulator, { connections });
    const adopt = (name: string, connection: string) =>
      deployment.check(session, undefined, called(name, { adopt: id, connection }));
    const refusal = `the deployment ${id} is managed by "first" of this program already`;
    return { emulator, id, session, adopt, refusal };
  };

  test("the preview and `pulumi up` refuse an id that two resources adopt", async () => {
    const { id, session, adopt, refusal } = await reached();
    await adopt("first", "one");
    expect((await failureOf(adopt("second", "two"))).message).toContain(refusal);
    await createDeployment(session, called("first", { adopt: id, connection: "one" }));
    const second = createDeployment(session, called("second", { adopt: id, connection: "two" }));
    expect((await failureOf(second)).message).toContain(refusal);
  });

  test("the adoption of an id that another resource already has is refused, whichever resource is planned first", async () => {
    const { emulator, id, session, adopt, refusal } = await reached();
    const olds = { ...called("first", { connection: "one" }), serviceUrl: emulator.url };
    const keep = () => deployment.diff(session, id, olds, olds, true);
    await keep();
    expect((await failureOf(adopt("second", "two"))).message).toContain(refusal);
    // A second plan of the same resource does not count as a conflict.
    await keep();

    const otherProgram = await reached();
    await otherProgram.adopt("first", "one");
    const second = { ...called("second", { connection: "two" }), serviceUrl: otherProgram.emulator.url };
    const error = await failureOf(
      deployment.diff(otherProgram.session, otherProgram.id, second, second, true),
    );
    expect(error.message).toContain(otherProgram.refusal);
  });
});

test("a deployment keeps its name if its connection is only renamed, and gives up the name if the connection reaches another service", async () => {
  const { emulator, id, outputs } = await createdDeployment(called("first"));
  const far = await started();
  const connections = JSON.stringify({ uno: { baseUrl: emulator.url }, far: { baseUrl: far.url } });
  const creation = async (connection: string) => {
    const { session } = sessionOn(emulator, { connections });
    const moved = called("first", { connection, rollout: { wait: false } });
    await deployment.diff(session, id, outputs, moved, true);
    const second = called("second", { connection: connection === "far" ? undefined : connection });
    return deployment.check(session, undefined, second);
  };
  expect((await failureOf(creation("uno"))).message).toContain('"first" of this program has that name');
  expect((await creation("far")).failures).toEqual([]);
});
