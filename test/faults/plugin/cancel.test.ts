/** Tests Ctrl-C during a wait for a rollout. The engine reports Ctrl-C only to the plugin, not to dynamic resources. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { FaultStack, type Service, startService } from "../../support/faults/faultStack";
import { chat, image } from "../../support/faults/killPoints";
import { tellFigures } from "../../support/faults/size";

let service: Service;
let stack: FaultStack;
beforeEach(async () => {
  service = await startService({ revisionSeconds: 600 });
  // The CLI has the option `--event-log` only if this variable is set.
  stack = await new FaultStack(service.gate, { environment: { PULUMI_DEBUG_COMMANDS: "true" } }).init();
}, 120_000);

const declared = { chat: chat() };
const revised = { chat: chat(image(2)) };

/** The statuses that the CLI has shown next to the resource during the wait. */
function statuses(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const events = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return events.filter(Boolean).flatMap((line) => {
    const { diagnosticEvent } = JSON.parse(line);
    return diagnosticEvent?.ephemeral === true ? [diagnosticEvent.message] : [];
  });
}

test.each([
  ["a creation", "POST", declared],
  ["an update", "PATCH", revised],
] as const)(
  "the wait for %s shows its duration, Ctrl-C ends the wait at once, and the next update resumes the wait",
  async (_, method, program) => {
    const { emulator, gate } = service;
    if (method === "PATCH") {
      emulator.behaviour.revisionSeconds = 0;
      await stack.mustUp(declared);
      emulator.behaviour.revisionSeconds = 600;
    }
    gate.arrivals.length = 0;
    const log = path.join(stack.folder, "events.jsonl");
    const running = stack.startUp(program, "--event-log", log);
    while (statuses(log).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const interrupted = Date.now();
    running.child.kill("SIGINT");
    const ended = await running.ended;
    tellFigures(`Ctrl-C, ${method}: the command ended after ${(Date.now() - interrupted) / 1_000} s`);
    expect(ended.code).not.toBe(0);
    expect(ended.text).toContain("the run was cancelled");
    expect(statuses(log)[0]).toMatch(/\b[A-Z_]+, \d+ s\b/);
    const id = emulator.deployments()[0]?.id as string;
    expect(await stack.ids()).toEqual([id]);
    expect((await stack.state()).pending_operations ?? []).toEqual([]);

    const changes = gate.arrivals.filter((arrival) => arrival.method === method).length;
    emulator.settle(id, "DEPLOYED");
    const again = await stack.up(program);
    expect(again.text).toContain("resumes waiting for revision");
    expect(again.code).toBe(0);
    expect(gate.arrivals.filter((arrival) => arrival.method === method)).toHaveLength(changes);
    expect(await stack.run(program, "preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  },
  300_000,
);
