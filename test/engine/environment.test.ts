/**
 * Tests plain environment variables and secrets with the real engine: which values plans, states and refreshes show.
 */
import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "../../sdk";
import { exported, leaksIn, watched } from "../support/engine/errorText";
import { declaresOnly, lines, sent } from "../support/engine/programs";
import { type Run, testStack } from "../support/engine/stack";

const KEY = "sk-canary-key";
const MARKED = "canary-marked";
const BY_HAND = "canary-by-hand";
const ALL = [KEY, MARKED, BY_HAND];

const chat = (args: Partial<DeploymentArgs> = {}) =>
  declaresOnly({
    secrets: { KEY },
    environment: { LOG_LEVEL: "info", MARKED: pulumi.secret(MARKED) },
    ...args,
  });

async function running() {
  const { emulator, stack } = await testStack({ profile: "langsmith", secretsInResponses: "echoed" });
  const watch = watched(stack, ALL);
  const run = async (started: Promise<Run>): Promise<Run> => {
    const done = await watch(started);
    expect(done.error).toBeUndefined();
    return done;
  };
  await run(stack.up(chat()));
  const variables = () =>
    Object.fromEntries((emulator.deployments()[0]?.secrets ?? []).map(({ name, value }) => [name, value]));
  return { emulator, stack, run, variables };
}

test("plan and state show a plain value, but no value that the program marks secret", async () => {
  const { stack, run, variables } = await running();
  expect(variables()).toEqual({ KEY, LOG_LEVEL: "info", MARKED });
  const environment = { LOG_LEVEL: "debug", MARKED: pulumi.secret(`${MARKED}-2`) };
  expect(lines(await run(stack.preview(chat({ environment }), { diff: true })))).toEqual([
    "creates a new revision (environment.LOG_LEVEL info -> debug; environment.MARKED changed)",
  ]);
  await run(stack.up(chat({ environment })));
  expect((await stack.recorded("chat")).outputs.environment).toMatchObject({ LOG_LEVEL: "debug" });
  expect((await run(stack.up(chat({ environment })))).steps).toEqual({});
});

test("an up that only moves variables between environment and secrets sends nothing, and no text shows the value of a secret", async () => {
  const { stack, run, variables } = await running();
  const opened = {
    secrets: { KEY, MARKED },
    environment: { LOG_LEVEL: "info" },
  };
  const up = await run(stack.up(chat(opened)));
  expect([up.steps, sent(up)]).toEqual([{ chat: "update" }, []]);
  expect(lines(await run(stack.preview(chat(opened))))).toEqual([]);
  const plan = await run(
    stack.preview(chat({ secrets: { KEY }, environment: { LOG_LEVEL: "info", MARKED: "plain" } })),
  );
  expect(lines(plan)).toEqual(["creates a new revision (environment.MARKED (secret) -> plain)"]);
  expect(variables()).toEqual({ KEY, LOG_LEVEL: "info", MARKED });
});

test("a refresh reads drift of plain values, and the next update resets a secret that was changed by hand; nothing shows the secret's value", async () => {
  const { emulator, stack, run, variables } = await running();
  emulator.change(emulator.deployments()[0]?.id as string, {
    secrets: [
      { name: "KEY", value: BY_HAND },
      { name: "LOG_LEVEL", value: "by-hand" },
      { name: "MARKED", value: MARKED },
    ],
  });
  await run(stack.refresh());
  expect((await stack.recorded("chat")).outputs).toMatchObject({
    environment: { LOG_LEVEL: "by-hand" },
    secretGenerations: { KEY: 1 },
  });
  expect(lines(await run(stack.preview(chat(), { diff: true })))).toEqual([
    "creates a new revision (secret KEY set again, since its value differs on the service; environment.LOG_LEVEL by-hand -> info)",
  ]);
  await run(stack.up(chat()));
  expect(variables()).toEqual({ KEY, LOG_LEVEL: "info", MARKED });
  expect((await stack.recorded("chat")).outputs.secretGenerations).toEqual({ KEY: 2 });
  await run(stack.refresh());
  expect((await run(stack.up(chat()))).steps).toEqual({});
  expect(leaksIn({ exported: exported(stack) }, ALL)).toEqual([]);
});

test("if a secret is changed by hand and the program then removes the secret, the next update removes it from the service", async () => {
  const { emulator, stack, run, variables } = await running();
  const byHand = Object.entries({ ...variables(), KEY: BY_HAND }).map(([name, value]) => ({ name, value }));
  emulator.change(emulator.deployments()[0]?.id as string, { secrets: byHand });
  await run(stack.refresh());
  const without = chat({ secrets: {} });
  expect(lines(await run(stack.preview(without, { diff: true })))).toEqual([
    "creates a new revision (secret KEY removed)",
  ]);
  const up = await run(stack.up(without));
  expect([up.steps, variables()]).toEqual([{ chat: "update" }, { LOG_LEVEL: "info", MARKED }]);
  expect((await run(stack.up(without))).steps).toEqual({});
  expect(leaksIn({ exported: exported(stack) }, [KEY, BY_HAND])).toEqual([]);
});
