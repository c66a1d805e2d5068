/**
 * Tests plain environment variables and secrets with the real engine: which values plans, states and refreshes show.
 */
import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "../../sdk";
import { watched } from "../support/engine/errorText";
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

test("plan and state show plain values, but never a value that the program marks as secret", async () => {
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

test("if `pulumi up` only moves variables between environment and secrets, it sends nothing, and no output shows the value of a secret", async () => {
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
