import type { Fault } from "../../sdk/emulator/index";
import { FaultStack, startService } from "../support/faults/faultStack";
import { killIn } from "../support/faults/killCase";
import { chat } from "../support/faults/killPoints";
import { inTheWhole, tellFigures } from "../support/faults/size";

const program = { chat: chat() };
const LIST = /^\/v2\/deployments$/;
const POST = { match: { method: "POST" } } as const;
const LONG = 600_000;

/** Two stacks on one machine look up the same name, and find it free, before either stack creates the deployment. */
async function both(fault: Fault) {
  const service = await startService();
  const first = await new FaultStack(service.gate).init();
  const second = await new FaultStack(service.gate, { home: first.home }).init();
  const stacks = [first, second];
  service.gate.meet("GET", LIST, 2);
  service.emulator.failNext(fault);
  const ends = await Promise.all(stacks.map((stack) => stack.up(program)));
  // Runs each failed up again, as a person would.
  const again = await Promise.all(
    stacks.map((stack, index) => (ends[index]?.code === 0 ? ends[index] : stack.up(program))),
  );
  const ids = await Promise.all(stacks.map((stack) => stack.ids()));
  const shared = (ids[0] ?? []).filter((id) => ids[1]?.includes(id)).length;
  return { service, ends: [...ends, ...again], shared };
}

test(
  "if two stacks create one name at once and a request is lost, one stack creates the deployment and the other stack is refused",
  async () => {
    const { service, ends, shared } = await both({ kind: "drop-before", ...POST });
    tellFigures(`two stacks, one name, at once: ${shared} silent adoptions`);
    expect(shared).toBe(0);
    expect(service.emulator.deployments()).toHaveLength(1);
    expect(
      ends
        .slice(2)
        .map(({ code }) => code === 0)
        .sort(),
    ).toEqual([false, true]);
    for (const { code, text } of ends) {
      if (code === 0) continue;
      // If the answer to the first try is lost, the second try shows the outcome.
      if (text.includes("Run `pulumi up` again: it looks for the deployment")) continue;
      // The error names the existing deployment and says how to manage it.
      expect(service.emulator.deployments().some(({ id }) => text.includes(id))).toBe(true);
      expect(text).toContain("adopt");
    }
  },
  LONG,
);

/** Kills one stack's up while the up creates the deployment, after the other stack's up has begun. */
async function whileKilled(what: "request" | "answer") {
  const service = await startService();
  const first = await new FaultStack(service.gate).init();
  const second = await new FaultStack(service.gate, { home: first.home }).init();
  const reached = service.gate.hold(what, "POST", LIST);
  const killed = first.startUp(program);
  await reached;
  const secondUp = second.up(program);
  await killIn(killed, "both", service);
  const ended = await secondUp;
  await first.cancel();
  return { service, ended, again: await first.up(program) };
}

test(
  "if a stack is killed after it created a deployment, another stack's up for the same name is refused, and the killed stack's next up takes over the deployment",
  async () => {
    const { service, ended, again } = await whileKilled("answer");
    const { id } = service.emulator.deployments()[0] ?? {};
    expect(ended.code).not.toBe(0);
    expect(ended.text).toContain(
      `a deployment named "chat" exists already on ${service.gate.url} (id ${id})`,
    );
    expect(again).toMatchObject({ code: 0, text: expect.stringContaining(`takes over ${id}`) });
    expect(service.emulator.deployments()).toHaveLength(1);
  },
  LONG,
);

inTheWhole(
  "a stack whose request was lost in a kill does not take over the deployment that another stack has created meanwhile",
  async () => {
    const { service, ended, again } = await whileKilled("request");
    expect(ended.code).toBe(0);
    expect(again.code).not.toBe(0);
    expect(service.emulator.deployments()).toHaveLength(1);
  },
  LONG,
);
