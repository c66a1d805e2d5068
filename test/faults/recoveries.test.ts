import { writeFileSync } from "node:fs";
import path from "node:path";
import { typeOf } from "../support/engine/form";
import { FaultStack, startService } from "../support/faults/faultStack";
import { killIn } from "../support/faults/killCase";
import { chat } from "../support/faults/killPoints";
import { isWhole, tellFigures } from "../support/faults/size";

const program = { chat: chat() };
const URN = `urn:pulumi:test::faults::${typeOf("Deployment")}::chat`;
const LONG = 600_000;

/** Every remedy that Pulumi documents for an interrupted creation. The test runs `pulumi up` after each remedy. */
const RECOVERIES: { readonly [name: string]: (stack: FaultStack, id: string) => Promise<unknown> } = {
  cancel: async () => undefined,
  refresh: (stack) => stack.run(program, "refresh", "--yes", "--skip-preview"),
  "refresh --clear-pending-creates": (stack) =>
    stack.run(program, "refresh", "--yes", "--skip-preview", "--clear-pending-creates"),
  "refresh --import-pending-creates": (stack, id) =>
    stack.run(
      program,
      ...["refresh", "--yes", "--skip-preview"],
      ...[URN, id].flatMap((each) => ["--import-pending-creates", each]),
    ),
  "up --refresh": (stack) => stack.up(program, "--refresh"),
  "stack export, edit, stack import": edited,
  "state delete": (stack) => stack.run(program, "state", "delete", URN, "--yes"),
  destroy: (stack) => stack.run(program, "destroy", "--yes", "--skip-preview"),
  "stack rm, stack init": async (stack) => {
    await stack.must(program, "stack", "rm", "test", "--yes", "--force");
    await stack.init();
  },
};

async function edited(stack: FaultStack): Promise<void> {
  const state = await stack.state();
  expect(state.pending_operations).toHaveLength(1);
  const file = path.join(stack.folder, "edited.json");
  writeFileSync(file, JSON.stringify({ version: 3, deployment: { ...state, pending_operations: [] } }));
  await stack.must(program, "stack", "import", "--file", file);
}

const total = { ways: 0, duplicates: 0, lost: 0, notConverged: 0 };
afterAll(() =>
  tellFigures(
    `recoveries: ${total.ways} ways, ${total.duplicates} duplicates, ${total.lost} lost, ${total.notConverged} not converged`,
  ),
);

async function interrupted() {
  const service = await startService();
  const stack = await new FaultStack(service.gate).init();
  const answered = service.gate.hold("answer", "POST", /^\/v2\/deployments$/);
  const running = stack.startUp(program);
  await answered;
  await killIn(running, "both", service);
  await stack.cancel();
  return { service, stack, id: service.emulator.deployments()[0]?.id as string };
}

test.each(isWhole ? Object.keys(RECOVERIES) : ["refresh --clear-pending-creates"])(
  "%s: after an interrupted creation, the recovery and `pulumi up` make no second deployment",
  async (name) => {
    const { service, stack, id } = await interrupted();
    await RECOVERIES[name]?.(stack, id);
    const up = await stack.up(program);
    const preview = await stack.run(program, "preview", "--expect-no-changes");
    const converged = up.code === 0 && preview.code === 0;
    total.ways += 1;
    total.duplicates += service.emulator.deployments().length - 1;
    total.lost += (await stack.ids()).includes(id) ? 0 : 1;
    total.notConverged += converged ? 0 : 1;
    expect(service.emulator.deployments().map((each) => each.id)).toEqual([id]);
    expect(await stack.ids()).toEqual([id]);
    expect(converged ? "" : up.text + preview.text).toBe("");
  },
  LONG,
);
