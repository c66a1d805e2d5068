import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../sdk";
import { errorsOf, exported, leaksIn, placesOf } from "../support/engine/errorText";
import { lines, sent } from "../support/engine/programs";
import { type Run, testStack } from "../support/engine/stack";

const KEY = "sk-in-the-wrong-place";
const COMMAND = "pip install";

const chat =
  (args: Partial<DeploymentArgs> = {}, options: pulumi.CustomResourceOptions = {}) =>
  (): object => {
    const deployment = new Deployment(
      "chat",
      {
        name: "chat",
        source: "external_docker",
        sourceConfig: {
          installCommand: COMMAND,
          resourceSpec: { labels: { team: "a" }, sidecars: [{ name: "log", args: ["-v"] }] },
        },
        sourceRevisionConfig: { imageUri: "i:1" },
        secrets: { KEY },
        ...args,
      },
      options,
    );
    return { everything: pulumi.output(deployment), version: deployment.imageVersion };
  };

/** Changes that a user made on the service: the secret's value is now in every field that takes a string. */
const DRIFT = {
  image_version: `built with ${KEY}`,
  status: `READY, key ${KEY}`,
  source_config: {
    install_command: `${COMMAND} --token ${KEY}`,
    custom_url: `https://${KEY}.example`,
    resource_spec: {
      labels: { team: KEY },
      sidecars: [{ name: "log", args: ["-v", `--key=${Buffer.from(KEY).toString("base64")}`] }],
    },
  },
};

test("if a user copies a secret's value into a different field, no output shows the value, and the next update corrects the field", async () => {
  const { emulator, stack } = await testStack();
  await stack.up(chat());
  emulator.change(emulator.deployments()[0]?.id as string, DRIFT);
  const runs: Run[] = [];
  const run = async (started: Promise<Run>): Promise<Run> => {
    const done = await started;
    runs.push(done);
    expect(done.error).toBeUndefined();
    expect(leaksIn(placesOf(stack, ...runs), [KEY])).toEqual([]);
    return done;
  };
  await run(stack.refresh());
  const plan = await run(stack.preview(chat(), { diff: true }));
  expect(lines(plan)).toEqual([
    expect.stringContaining('sourceConfig.installCommand "pip install --token [secret]" -> "pip install"'),
  ]);
  await run(stack.preview(chat(), { refresh: true }));
  const up = await run(stack.up(chat()));
  expect(up.steps).toEqual({ chat: "update" });
  expect(emulator.deployments()[0]?.source_config).toMatchObject({
    install_command: COMMAND,
    resource_spec: { labels: { team: "a" }, sidecars: [{ name: "log", args: ["-v"] }] },
  });
  expect((await run(stack.up(chat()))).steps).toEqual({});
  await run(stack.refresh());
  expect(leaksIn({ exported: exported(stack) }, [KEY])).toEqual([]);
});

test("if an update sends a drifted field, it sends the field's real value, never a masked value", async () => {
  const { emulator, stack } = await testStack();
  await stack.up(chat());
  emulator.change(emulator.deployments()[0]?.id as string, DRIFT);
  await stack.refresh();
  const ignoring = { ignoreChanges: ["sourceConfig.installCommand"] };
  const up = await stack.up(chat({}, ignoring));
  expect(up.error).toBeUndefined();
  expect(JSON.stringify(up.requests)).not.toContain("[secret]");
  expect(emulator.deployments()[0]?.source_config).toMatchObject({
    install_command: DRIFT.source_config.install_command,
    resource_spec: { labels: { team: "a" } },
  });
  expect(leaksIn({ exported: exported(stack), files: stack.filesOfState() }, [KEY])).toEqual([]);
});

test("a secret whose value is an ordinary word does not change the plan of a deployment", async () => {
  const { emulator, stack } = await testStack();
  const args = { secrets: { ENVIRONMENT: "prod", STATE: "READY", ROLLOUT: "deployed", LEVEL: "1" } };
  expect((await stack.up(chat(args))).error).toBeUndefined();
  expect((await stack.refresh()).error).toBeUndefined();
  const again = await stack.up(chat(args));
  expect([again.steps, sent(again)]).toEqual([{}, []]);
  const { outputs } = await stack.recorded("chat");
  expect(outputs).toMatchObject({ status: "READY", rolloutState: "deployed" });

  const worded = {
    ...args.secrets,
    WORD: "revision",
    NAME: "chat",
    FIELD: "sourceConfig",
    OLD: "pip install",
  };
  const changes = chat({ secrets: worded, sourceConfig: { installCommand: "uv sync" } });
  expect(lines(await stack.preview(changes))).toEqual([
    'may create a new revision (secret FIELD added; secret NAME added; secret OLD added; secret WORD added; in place: sourceConfig.resourceSpec.labels.team a -> (not set); sourceConfig.resourceSpec.sidecars [{"args":["-v"],"name":"log"}] -> (not set); sourceConfig.installCommand "[secret]" -> "uv sync")',
  ]);
  const body = { detail: "no such revision of chat" };
  emulator.failNext({ kind: "status", status: 422, match: { method: "PATCH" }, body });
  expect(errorsOf(await stack.up(changes))).toEqual([
    // Only secrets of eight or more characters are masked.
    expect.stringMatching(/^update deployment: PATCH http:\S+ answered 422: no such \[secret\] of chat$/),
    // The engine itself adds the message "update failed", which is about the stack.
    "update failed",
  ]);
});
