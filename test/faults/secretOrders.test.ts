import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../sdk";
import { exported, leaksIn, placesOf } from "../support/engine/errorText";
import { closeAll, type Run, service, stackOn, type TestStack } from "../support/engine/stack";
import { isWhole, tellFigures } from "../support/faults/size";

afterEach(() => closeAll());

const FIRST = "sk-first-of-all";
const ADDED = "sk-added-later";
const COMMAND = "pip install --token never-shown";
const ALL = [FIRST, ADDED, COMMAND];

const chat = (args: Partial<DeploymentArgs>) => (): void => {
  new Deployment("chat", {
    name: "chat",
    source: "external_docker",
    sourceRevisionConfig: { imageUri: "i:1" },
    ...args,
  });
};
const before = chat({ secrets: { FIRST } });
const after = chat({ secrets: { FIRST, ADDED }, sourceConfig: { installCommand: pulumi.secret(COMMAND) } });

const STEPS: { readonly [step: string]: (stack: TestStack) => Promise<Run | undefined> } = {
  refresh: (stack) => stack.refresh(),
  up: (stack) => stack.up(after),
  "refresh --run-program": (stack) => stack.refreshWith(after),
  "export and import": async (stack) => {
    await stack.stack.importStack(JSON.parse(exported(stack)));
    return undefined;
  },
};

function orders(steps: readonly string[]): string[][] {
  if (steps.length === 0) return [[]];
  return steps.flatMap((step) =>
    orders(steps.filter((other) => other !== step)).map((order) => [step, ...order]),
  );
}

const all = orders(Object.keys(STEPS));
const total = { orders: 0, clear: 0 };
afterAll(() => {
  tellFigures(
    `secrets after a failed update: ${total.orders} of ${all.length} orders: ${total.clear} clear secrets`,
  );
});

test("the suite notices the same values in plaintext if they are not secret", async () => {
  const stack = await stackOn(await service());
  const run = await stack.up(chat({ sourceConfig: { installCommand: COMMAND } }));
  const places = { ...placesOf(stack, run), exported: exported(stack) };
  const leaks = leaksIn(places, ALL).map((leak) => leak.replace(/:.*/, ""));
  expect(leaks).toEqual(["state, history and backups", "events", "exported"]);
});

test.each(isWhole ? all : all.filter((_, index) => index === 4))(
  "%s, %s, %s, %s: no secret of a failed update is ever in plaintext",
  async (...steps) => {
    const emulator = await service({ secretsInResponses: "echoed" });
    const stack = await stackOn(emulator);
    const runs: Run[] = [await stack.up(before)];
    // The update fails, and so does the first attempt to repair it.
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED", times: 2 });
    runs.push(await stack.up(after));
    expect(runs[1]?.error).toBeDefined();
    for (const step of steps) {
      const run = await STEPS[step]?.(stack);
      if (run !== undefined) runs.push(run);
      const leaks = leaksIn({ ...placesOf(stack, ...runs), exported: exported(stack) }, ALL);
      total.clear += leaks.length;
      expect(leaks).toEqual([]);
    }
    total.orders += 1;
    expect(emulator.deployments()[0]?.secrets.map(({ value }) => value)).toContain(ADDED);
  },
);
