/** The mocks for users' tests return the outputs of a first `pulumi up`, and the plan's errors for bad arguments. */
import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../../../provider/schema/value";
import type { Emulator } from "../../../sdk/emulator/index";
import {
  Deployment,
  type DeploymentArgs,
  getDeployments,
  getDeploymentsOutput,
  getListeners,
  getRepositories,
  getRepositoriesOutput,
  getRevisions,
  getRevisionsOutput,
  Listener,
  Rollout,
  SmokeTest,
  TokenMetadata,
} from "../../../sdk/index";
import { type MocksOptions, mocks } from "../../../sdk/testing/index";
import { created, started } from "../../support/embeddedService";
import { generated } from "../../support/engine/form";
import { chatWithToken as chat } from "../../support/programArguments";
import { provided } from "../../support/providerRun";
import { deployment, listener, tokenMetadata } from "../../support/resourceCalls";

const ID = "3f2b8c1e-0d5a-4c7e-9a44-1f0e6f1f7b21";
const OTHER = "5b0cbb6c-3c4e-4f7b-9d1e-6a2f0c1d7e42";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The mocks' refusals. If the SDK received a refusal, the SDK would reject every output and thereby end the test. */
const refused: string[] = [];

function under(options: MocksOptions = {}, preview = false): Promise<void> {
  const { newResource, call } = mocks(options);
  const keeping = (args: pulumi.runtime.MockResourceArgs) =>
    Promise.resolve(newResource(args)).catch(({ message }: Error) => {
      refused.push(message);
      return { id: "refused", state: {} };
    });
  return pulumi.runtime.setMocks({ newResource: keeping, call }, "app", "dev", preview);
}

beforeEach(() => under());
afterEach(() => pulumi.runtime.setAllConfig({}));

/** The value of the output, or the error of the resource that the output depends on. */
const valueIn = <T>(output: pulumi.Input<T>): Promise<T> =>
  pulumi.runtime.serializeProperties("", { output }).then(({ output: value }) => value as T);

/** The message with which the mocks refuse a resource or a look-up. */
async function refusalOf(declared: pulumi.Resource | Promise<unknown>): Promise<string> {
  if (declared instanceof Promise) return declared.then(String, ({ message }: Error) => message);
  await valueIn(declared.urn);
  return refused.splice(0).join();
}

afterEach(() => expect(refused).toEqual([]));

/**
 * Replaces ids, times, commits and addresses with placeholders, because the mocks' values differ from the service's.
 */
const alike = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
      .replace(/"[0-9a-f]{40}"/g, '"COMMIT"')
      .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"TIME"')
      .replace(/https?:\/\/[^"/]*/g, "ADDRESS"),
  );

test.each<[string, typeof deployment, Properties]>([
  ["Deployment", deployment, { ...chat }],
  ["Deployment", deployment, { ...chat, rollout: { wait: false }, secrets: undefined }],
  ["Deployment", deployment, { name: "b", source: "repohost", sourceRevisionConfig: { repoRef: "main" } }],
  ["Listener", listener, { computeType: "k8s", computeId: "east", version: "2" }],
  ["TokenMetadata", tokenMetadata, { tokenId: "t", isDefault: true }],
])("the whole state of a %s equals its state after a real `pulumi up`", async (type, resource, args) => {
  const { emulator, session } = await provided();
  emulator.addListener({ compute_id: "east" });
  emulator.addToken({ id: "t" });
  const token = `pulumi-nodejs:dynamic/deployment-control:${type}`;
  const inputs = { ...args, __urn: `urn:pulumi:dev::app::${token}::one` };
  const { inputs: checked } = await resource.check(session, undefined, inputs);
  const real = await resource.create(session, checked);
  const { newResource } = mocks();
  const { id, state } = await newResource({ type: token, name: "one", inputs });
  const { __schemaVersion: _version, ...mocked } = await pulumi.runtime.serializeProperties("", state);
  const plain = JSON.parse(
    JSON.stringify(mocked).replace(
      /\{"4dabf18193072939515e22adb298388d":"[0-9a-f]*","value":(\{[^}]*\})\}/g,
      "$1",
    ),
  );
  expect(alike([id, plain])).toEqual(alike([real.id, real.outputs]));
});

/** Sets mocks of a service that has these deployments and secrets. Returns the service and the deployments' ids. */
async function withDeployments(...deployments: [name: string, ...secrets: string[]][]) {
  const service = await started();
  const ids: string[] = [];
  for (const [name, ...secrets] of deployments) {
    const { id } = await created(service, {
      name,
      source: "external_docker",
      source_revision_config: { image_uri: "registry.example/chat:1" },
      secrets: secrets.map((secret) => ({ name: secret, value: "v" })),
    });
    ids.push(id);
  }
  await under({ service });
  return { service, ids: ids as [string, ...string[]] };
}

test.each<[string, Partial<DeploymentArgs>, { [setting: string]: string }, string]>([
  [
    "a misspelled argument",
    { sourceConfig: { buildOnPsh: true } as never },
    {},
    "sourceConfig.buildOnPsh: is not an argument; did you mean buildOnPush",
  ],
  ["a value that the profile lacks", { onDestroy: "delete" }, {}, 'onDestroy: got "delete", but the service'],
  [
    "a value outside the profile's bounds",
    { sourceConfig: { resourceSpec: { cpu: 10_000 } } },
    { "deployment-control:profile": "langsmith" },
    "sourceConfig.resourceSpec.cpu: got 10000; allowed: a number from",
  ],
  ["an unknown connection", { connection: "far" }, {}, 'connection: got "far"; none is configured'],
])("%s is refused with the plan's message", async (_, args, configuration, words) => {
  pulumi.runtime.setAllConfig(configuration);
  const refusal = await refusalOf(new Deployment("chat", { ...chat, ...args }));
  expect(refusal).toContain('deployment "chat": ');
  expect(refusal).toContain(words);
  expect(refusal).not.toContain("token-secret-value");
});

test("look-ups find the service's resources and the program's resources", async () => {
  const { service, ids } = await withDeployments(["one", "B"], ["two"]);
  service.addListener({ compute_id: "east" });
  service.addRepositories(OTHER, [{ owner: "acme", name: "agent" }]);
  expect(await getDeployments({ name: "one" })).toMatchObject([
    { id: ids[0], name: "one", status: "READY", secretNames: ["B"] },
  ]);
  expect(await getRevisions({ deploymentId: ids[0] })).toMatchObject([{ status: "DEPLOYED" }]);
  expect(await getListeners()).toMatchObject([{ computeId: "east" }]);
  const repositories = [{ owner: "acme", name: "agent", defaultBranch: "main", hostIntegrationId: OTHER }];
  expect(await getRepositories({ integrationId: OTHER })).toMatchObject(repositories);
  const output = getRepositoriesOutput({ integrationId: pulumi.output(OTHER) });
  expect(await valueIn(output)).toMatchObject(repositories);

  const { id } = new Deployment("chat", chat);
  const secretNames = getDeploymentsOutput({ deploymentIds: [id] }).apply(([each]) => each?.secretNames);
  expect(await valueIn(secretNames)).toEqual(["TOKEN"]);
  const revisions = getRevisionsOutput({ deploymentId: id }).apply((all) => all.map(({ status }) => status));
  expect(await valueIn(revisions)).toEqual(["DEPLOYED"]);
});

test("every connection reaches the mocks' service, whatever the connection's base URL is", async () => {
  pulumi.runtime.setAllConfig({
    "deployment-control:baseUrl": "https://real.example",
    "deployment-control:connections": JSON.stringify({ far: { baseUrl: "https://far.example" } }),
  });
  const { serviceUrl } = new Deployment("chat", { ...chat, connection: "far" });
  expect(await valueIn(serviceUrl)).toMatch(/^http:\/\/127/);
  expect((await getDeployments()).map(({ name }) => name)).toEqual(["chat"]);
});

test("a user's own mocks can answer look-ups by the function's token, and a wrong answer is an error", async () => {
  const lookUpCalls: pulumi.runtime.MockCallArgs[] = [];
  const answers: { [token: string]: () => object } = {
    "deployment-control:index:getDeployments": () => ({ deployments: [{ id: "any", name: "own" }] }),
    "deployment-control:index:getListeners": () => [{ id: "any" }],
    "deployment-control:index:getRevisions": () => {
      throw new Error("no revisions here");
    },
  };
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: (args) => {
      lookUpCalls.push(args);
      return answers[args.token]?.() ?? {};
    },
  });
  expect(await getDeployments({ name: "own" })).toEqual([{ id: "any", name: "own" }]);
  expect(await valueIn(getDeploymentsOutput({ limit: 1 }).apply((all) => all.length))).toBe(1);
  expect(lookUpCalls.map(({ inputs }) => inputs)).toEqual([{ name: "own" }, { limit: 1 }]);
  expect(await refusalOf(getListeners())).toContain("allowed: { listeners: […] }");
  expect(await refusalOf(getRevisions({ deploymentId: ID }))).toContain("the mocks' call threw an error");
});

test("a preview knows the computed inputs, but not the outputs of the apply", async () => {
  const { service, ids } = await withDeployments(["one"]);
  await under({ service }, true);
  const first = new Deployment("first", chat);
  const second = new Deployment("second", {
    ...chat,
    name: first.latestRevisionId.apply((id) => `after-${id}`),
    secrets: { TOKEN: first.id, OPEN: "known-secret-value" },
  });
  expect(await valueIn(first.revisionGeneration)).toBe(1);
  expect(await valueIn(first.connection)).toBeUndefined();
  const isKnown = async (output: pulumi.Output<unknown>) =>
    !pulumi.containsUnknowns((await pulumi.runtime.serializeProperties("", { output })).output) &&
    (await valueIn(output)) !== pulumi.runtime.unknownValue;
  expect(await isKnown(first.id)).toBe(false);
  expect(await isKnown(first.status)).toBe(false);
  expect(await isKnown(second.name)).toBe(false);
  expect(await isKnown(second.source)).toBe(true);
  expect(await isKnown(getRevisionsOutput({ deploymentId: first.id }))).toBe(false);
  expect(await isKnown(Deployment.get("one", ids[0]).name)).toBe(true);
  expect(await refusalOf(new Deployment("bad", { ...chat, adopt: "yes" as never }))).toContain("adopt: got");
});

test("Deployment.get finds the service's deployments, and refuses other ids", async () => {
  const { service, ids } = await withDeployments(["one"]);
  const { id: listenerId } = service.addListener({ compute_id: "east" });
  const one = Deployment.get("one", ids[0]);
  expect(await valueIn(one.name)).toBe("one");
  expect(await valueIn(one.revisionGeneration)).toBe(0);
  expect(await valueIn(one.revisionKey)).toBe(`${ids[0]}:${await valueIn(one.latestRevisionId)}`);
  expect(await valueIn(Listener.get("two", listenerId).computeType)).toBe("k8s");
  expect(await refusalOf(Deployment.get("other", OTHER))).toContain(`has no deployment with the id ${OTHER}`);
  expect(await refusalOf(Deployment.get("bad", "chat"))).toContain("allowed: a UUID");
});

test("a deployment whose revision fails on the service also fails in the program", async () => {
  const service: Emulator = await started();
  await under({ service });
  service.failNext({ kind: "revision", status: "DEPLOY_FAILED" });
  expect(await refusalOf(new Deployment("chat", chat))).toContain("DEPLOY_FAILED");
});

const question = {
  deploymentUrl: "https://agents.example",
  assistantId: "agent",
  messages: [{ role: "user", content: "hello" }],
};

class Agents extends pulumi.ComponentResource {
  readonly rollout: Rollout;

  constructor(name: string, images: readonly string[]) {
    super("test:index:Agents", name);
    const cluster = new Listener(
      `${name}-cluster`,
      { computeType: "k8s", computeId: "east" },
      { parent: this },
    );
    const deployments = images.map(
      (imageUri, index) =>
        new Deployment(
          `${name}-${index}`,
          {
            name: `${name}-${index}`,
            source: "external_docker",
            sourceConfig: { listenerId: cluster.id },
            sourceRevisionConfig: { imageUri },
            rollout: { wait: false },
          },
          { parent: this },
        ),
    );
    this.rollout = new Rollout(`${name}-all`, { deployments }, { parent: this });
    new SmokeTest(
      `${name}-greeting`,
      {
        ...question,
        expect: { contains: "hi" },
        triggers: { revision: deployments[0]?.revisionKey ?? "" },
      },
      { parent: this },
    );
  }
}

test("a component with several types of resources has the outputs of a first `pulumi up`", async () => {
  const { rollout } = new Agents("team", ["a:1", "a:2"]);
  expect(await valueIn(rollout.deployed)).toBe(2);
  expect(await valueIn(rollout.rolloutState)).toBe("deployed");
  expect(Object.keys(await valueIn(rollout.revisions))).toEqual(["team-0", "team-1"]);
  const { reply } = new SmokeTest("greeting", { ...question, expect: { contains: "hi" } });
  expect(await valueIn(reply)).toBe("hi");
  const { providerAccountLabel, serviceUrl } = new TokenMetadata("token", {
    tokenId: "t",
    providerAccountLabel: "l",
  });
  expect(await valueIn(providerAccountLabel)).toBe("l");
  expect(await valueIn(serviceUrl)).toMatch(/^http:/);
});

test("a program that uses the plugin's package also gets the outputs and refusals of a first `pulumi up`", async () => {
  const Generated = generated<typeof Deployment>("Deployment");
  const deployment = new Generated("chat", chat);
  expect(await valueIn(deployment.id)).toMatch(UUID);
  expect(await valueIn(deployment.revisionKey)).toBe(`${await valueIn(deployment.id)}:1`);
  expect(await valueIn(deployment.latestRevisionStatus)).toBe("DEPLOYED");
  const bad = new Generated("bad", { ...chat, name: "bad", source: "nowhere" as "repohost" });
  expect(await refusalOf(bad)).toContain('source: got "nowhere"');
  const { ids } = await withDeployments(["old"]);
  const old = Generated.get("old", ids[0]);
  expect(await valueIn(old.name)).toBe("old");
  const Waits = generated<typeof Rollout>("Rollout");
  expect(await valueIn(new Waits("all", { deployments: [old] }).rolloutState)).toBe("deployed");
});

test("resources of other packages go to the mocks in the option others", async () => {
  class Bucket extends pulumi.CustomResource {
    declare readonly arn: pulumi.Output<string>;
    constructor(name: string) {
      super("aws:s3:Bucket", name, { arn: undefined });
    }
  }
  expect(await valueIn(new Bucket("logs").id)).toBe("logs-id");
  const otherMocks: pulumi.runtime.Mocks = {
    newResource: ({ name }) => ({ id: name, state: { arn: `arn:${name}` } }),
    call: ({ token }) => ({ token }),
  };
  await under({ others: otherMocks });
  expect(await valueIn(new Bucket("logs").arn)).toBe("arn:logs");
  expect(await pulumi.runtime.invoke("aws:index:getRegion", {})).toEqual({ token: "aws:index:getRegion" });
  expect(await getDeployments()).toEqual([]);
});

test("the mocks ignore the environment variables of the person who runs the tests", async () => {
  process.env.DEPLOYMENT_CONTROL_PROFILE = "langsmith";
  process.env.DEPLOYMENT_CONTROL_BASE_URL = "http://127.0.0.1:1";
  try {
    expect(await refusalOf(new Deployment("chat", { ...chat, onDestroy: "delete" }))).toContain(
      "has no DELETE",
    );
    expect(await getDeployments()).toEqual([]);
  } finally {
    delete process.env.DEPLOYMENT_CONTROL_PROFILE;
    delete process.env.DEPLOYMENT_CONTROL_BASE_URL;
  }
});
