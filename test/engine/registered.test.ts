/**
 * Rollouts and smoke tests use the arguments that the engine has registered for a deployment, after transformations and
 * aliases.
 */
import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs, Rollout, SmokeTest } from "../../sdk/index";
import { chat, sent } from "../support/engine/programs";
import { service, stackOn, testStack } from "../support/engine/stack";

const waitsNot = { rollout: { wait: false } };

/** A transformation that sets the argument `connection` in every Deployment. */
const onto =
  (connection: string): pulumi.ResourceTransformation =>
  ({ type, props, opts }) =>
    type.endsWith(":Deployment") ? { props: { ...props, connection }, opts } : undefined;

class Team extends pulumi.ComponentResource {
  readonly connection: pulumi.Output<string | undefined>;

  constructor(name: string, args: Partial<DeploymentArgs>, options: pulumi.ComponentResourceOptions) {
    super("test:index:Team", name, {}, options);
    const deployment = new Deployment(name, chat(args), { parent: this });
    new Rollout(`${name}-all`, { deployments: [deployment] }, { parent: this });
    this.connection = deployment.connection;
  }
}

test("if a component's transformation moves deployments to a second service, a rollout reads from that service", async () => {
  const options = { transformations: [onto("far")] };
  const [near, far] = [await service(), await service()];
  const connections = { far: { baseUrl: far.url }, other: { baseUrl: near.url } };
  const environment = { DEPLOYMENT_CONTROL_CONNECTIONS: JSON.stringify(connections) };
  const stack = await stackOn(near, { environment });
  const program = (imageUri: string) => () => {
    const written = { ...waitsNot, connection: "other", sourceRevisionConfig: { imageUri } };
    new Team("chat", written, { ...options });
    const { connection } = new Team("plain", { ...waitsNot, name: "plain" }, { ...options });
    return { connection };
  };
  const up = await stack.up(program("a:1"));
  expect([up.error, near.requests]).toEqual([undefined, []]);
  expect(
    far
      .deployments()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["chat", "plain"]);
  for (const name of ["chat-all", "plain-all"]) {
    const { outputs } = await stack.recorded(name);
    expect(outputs).toMatchObject({ deployed: 1, rolloutState: "deployed" });
    expect(Object.values(outputs.deployments)).toMatchObject([{ connection: "far" }]);
  }
  expect(up.outputs).toEqual({ connection: "far" });

  const plan = await stack.preview(program("a:1"));
  expect([plan.error, plan.steps]).toEqual([undefined, {}]);
  const second = await stack.up(program("a:2"));
  expect([second.error, second.steps]).toEqual([undefined, { chat: "update", "chat-all": "update" }]);
  expect(near.requests).toEqual([]);
});

test("if a deployment is renamed with an alias, its rollout and its smoke test do not change", async () => {
  const { emulator, stack } = await testStack();
  const program =
    (name: string, aliases: pulumi.Alias[], args: Partial<DeploymentArgs> = {}) =>
    () => {
      const renamed = new Deployment(name, chat({ ...waitsNot, ...args }), { aliases });
      const other = new Deployment("other", chat({ ...waitsNot, name: "other" }));
      const all = new Rollout("all", { deployments: [renamed, other] });
      new SmokeTest("greeting", {
        deploymentUrl: renamed.id.apply((id) => `${emulator.url}/runtime/${id}`),
        assistantId: "echo",
        messages: [{ role: "user", content: "hello" }],
        expect: { contains: "hello" },
        triggers: { all: all.revisions.apply((revisions) => JSON.stringify(revisions)) },
      });
      return { revisions: all.revisions, key: renamed.revisionKey };
    };
  const first = await stack.up(program("old", []));
  expect(first.error).toBeUndefined();

  const aliases = [{ name: "old" }];
  for (const run of [await stack.preview(program("new", aliases)), await stack.up(program("new", aliases))]) {
    expect([run.error, run.steps, sent(run)]).toEqual([undefined, {}, []]);
  }
  expect((await stack.up(program("new", aliases))).outputs).toEqual(first.outputs);

  const second = { sourceRevisionConfig: { imageUri: "a:2" } };
  const revised = await stack.up(program("new", aliases, second));
  expect(revised.steps).toEqual({ new: "update", all: "update", greeting: "update" });
  const messages = revised.diagnostics.map(({ message }) => message);
  expect(messages).toContain("waits for the newest revisions of 2 deployments (new or changed: new)");
  expect(Object.keys(revised.outputs.revisions as object)).toEqual(["new", "other"]);
});
