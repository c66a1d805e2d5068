import { FaultStack, startService } from "../support/faults/faultStack";
import { killIn } from "../support/faults/killCase";
import { chat } from "../support/faults/killPoints";
import { inTheWhole } from "../support/faults/size";

const program = { chat: chat() };
const LIST = /^\/v2\/deployments$/;
const LONG = 600_000;

/** Starts `pulumi up` on two stacks. Kills the first run while its creation request or the answer is held back. */
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
  "if a stack's run is killed after it created a deployment, a second stack cannot create a deployment with the same name, and the first stack's next run takes over the deployment",
  async () => {
    const { service, ended, again } = await whileKilled("answer");
    const { id } = service.emulator.deployments()[0] ?? {};
    expect(ended.code).not.toBe(0);
    expect(ended.text).toContain(
      `a deployment named "chat" exists already on ${service.gate.url}. Change name, or set adopt: "${id}" to manage it`,
    );
    expect(again).toMatchObject({ code: 0, text: expect.stringContaining(`takes over ${id}`) });
    expect(service.emulator.deployments()).toHaveLength(1);
  },
  LONG,
);

inTheWhole(
  "if a stack's run is killed and its request is lost, the stack's next run does not take over a deployment that a second stack created meanwhile",
  async () => {
    const { service, ended, again } = await whileKilled("request");
    expect(ended.code).toBe(0);
    expect(again.code).not.toBe(0);
    expect(service.emulator.deployments()).toHaveLength(1);
  },
  LONG,
);
