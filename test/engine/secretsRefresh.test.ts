import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "../../sdk";
import { exported, leaksIn, placesOf } from "../support/engine/errorText";
import { Deployment, isPlugin } from "../support/engine/form";
import { lines } from "../support/engine/programs";
import { closeAll, type Run, service, stackOn } from "../support/engine/stack";

afterEach(() => closeAll());

const FIRST = "sk-first-of-all";
const ADDED = "sk-added-later";
const COMMAND = "pip install --token never-shown";
const TRIGGER = "trigger-never-shown";
const STRANGER = "sk-of-somebody-else";
const ALL = [FIRST, ADDED, COMMAND, TRIGGER, STRANGER];

const chat = (args: Partial<DeploymentArgs>) => (): void => {
  new Deployment("chat", {
    name: "chat",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "i:1" },
    ...args,
  });
};

test("a first secret that a failing update adds is never written in plaintext, whatever the order of refreshes", async () => {
  const emulator = await service({ secretsInResponses: "echoed" });
  const stack = await stackOn(emulator);
  const runs: Run[] = [];
  const run = async (started: Promise<Run>): Promise<Run> => {
    const done = await started;
    runs.push(done);
    expect(leaksIn(placesOf(stack, ...runs), ALL)).toEqual([]);
    return done;
  };
  await run(stack.up(chat({})));
  const after = chat({
    secrets: { ADDED },
    sourceConfig: { installCommand: pulumi.secret(COMMAND) },
    revisionTriggers: { t: pulumi.secret(TRIGGER) },
  });
  emulator.failNext({ kind: "revision", status: "BUILD_FAILED", times: 2 });
  expect((await run(stack.up(after))).error).toBeDefined();
  await run(stack.refresh());
  // Like `pulumi stack export` and `import`, which keep secrets encrypted.
  await stack.stack.importStack(JSON.parse(exported(stack)));
  await run(stack.refresh());
  expect((await run(stack.up(after))).error).toBeDefined();
  expect((await run(stack.preview(after, { refresh: true }))).error).toBeUndefined();
  const up = await run(stack.up(after));
  expect(up.error).toBeUndefined();
  expect(lines(up)[0]).toMatch(
    isPlugin
      ? /creates a new revision \(secret ADDED added/
      : /creates a new revision \(makes it again: revision \S+ ended BUILD_FAILED\)/,
  );
  await run(stack.refresh());
  expect((await run(stack.up(after))).steps).toEqual({});
  expect(leaksIn({ exported: exported(stack) }, ALL)).toEqual([]);
  expect(emulator.deployments()[0]?.secrets.map(({ name }) => name)).toContain("ADDED");
});

test("a secret that the service echoes and the program does not manage is never recorded", async () => {
  const args = { secrets: { FIRST } };
  const emulator = await service({ secretsInResponses: "echoed" });
  const stack = await stackOn(emulator);
  await stack.up(chat(args));
  const { id, secrets } = emulator.deployments()[0] as { id: string; secrets: object[] };
  emulator.change(id, { secrets: [...secrets, { name: "STRANGER", value: STRANGER }] });
  expect(await (await fetch(`${emulator.url}/v2/deployments`)).text()).toContain(STRANGER);
  const runs = [await stack.refresh(), await stack.preview(chat(args)), await stack.refresh()];
  expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(leaksIn(placesOf(stack, ...runs), ALL)).toEqual([]);
  const { outputs } = await stack.recorded("chat");
  expect(outputs.secretGenerations).toEqual({ FIRST: 1 });
  expect(outputs.__foreignSecrets).toEqual(["STRANGER"]);
});
