import * as pulumi from "@pulumi/pulumi";
import { exported, leaksIn, placesOf } from "../support/engine/errorText";
import { declaresOnly } from "../support/engine/programs";
import { type Run, type TestStack, testStack } from "../support/engine/stack";
import { isWhole, tellFigures } from "../support/faults/size";

const FIRST = "sk-first-of-all";
const ADDED = "sk-added-later";
const COMMAND = "pip install --token never-shown";
const TRIGGER = "trigger-never-shown";
const ALL = [FIRST, ADDED, COMMAND, TRIGGER];

/**
 * The secrets before the failing update. If there are no earlier secrets, the update brings the first secret into the
 * state.
 */
const BEFORE = { "a further secret": { FIRST }, "a first secret": {} };

type Program = () => void;

const updated = (secrets: { [name: string]: string }): Program =>
  declaresOnly({
    secrets: { ...secrets, ADDED },
    sourceConfig: { installCommand: pulumi.secret(COMMAND) },
    revisionTriggers: { t: pulumi.secret(TRIGGER) },
  });

const STEPS: { readonly [step: string]: (stack: TestStack, program: Program) => Promise<Run | undefined> } = {
  refresh: (stack) => stack.refresh(),
  up: (stack, program) => stack.up(program),
  "refresh --run-program": (stack, program) => stack.refreshWith(program),
  // Exports as a user does, so that the secrets in the exported file stay encrypted.
  "export and import": async (stack) => {
    await stack.stack.importStack(JSON.parse(exported(stack)));
    return undefined;
  },
};

/**
 * The steps in two orders. The first order begins with a step that records the failed update. The second order begins
 * with a step that repeats the failed update.
 */
const ORDERS = [Object.keys(STEPS), Object.keys(STEPS).reverse()];
const cases = (Object.keys(BEFORE) as (keyof typeof BEFORE)[]).flatMap((start) =>
  (isWhole ? ORDERS : ORDERS.slice(0, 1)).map((steps) => [start, steps] as const),
);
const total = { orders: 0, clear: 0 };
afterAll(() => {
  tellFigures(
    `secrets after a failed update: ${total.orders} of ${cases.length} orders: ${total.clear} clear secrets`,
  );
});

test.each(cases)(
  "after a failed update that sent %s, the steps %j never leave the secret in plaintext",
  async (start, steps) => {
    const { emulator, stack } = await testStack({ secretsInResponses: "echoed" });
    const program = updated(BEFORE[start]);
    const runs: Run[] = [await stack.up(declaresOnly({ secrets: BEFORE[start] }))];
    // The update fails, and so does the first attempt to repair it.
    emulator.failNext({ kind: "revision", status: "BUILD_FAILED", times: 2 });
    runs.push(await stack.up(program));
    expect(runs[1]?.error).toBeDefined();
    for (const step of steps) {
      const stepRun = await STEPS[step]?.(stack, program);
      if (stepRun !== undefined) runs.push(stepRun);
      const leaks = leaksIn({ ...placesOf(stack, ...runs), exported: exported(stack) }, ALL);
      total.clear += leaks.length;
      expect(leaks).toEqual([]);
    }
    total.orders += 1;
    expect(emulator.deployments()[0]?.secrets.map(({ value }) => value)).toContain(ADDED);
  },
);
