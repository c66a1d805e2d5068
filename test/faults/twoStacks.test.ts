import type { Fault } from "../../sdk/emulator/index";
import { isWhole, tellFigures } from "./figures";
import { chat } from "./points";
import { FaultStack, type Service, startService, stopService } from "./stack";
import { inTheWhole } from "./whole";

const program = { chat: chat() };
const LIST = /^\/v2\/deployments$/;
const POST = { match: { method: "POST" } } as const;
const LONG = 600_000;

const opened: { service: Service; stacks: FaultStack[] }[] = [];
afterEach(async () => {
  for (const { service, stacks } of opened.splice(0)) {
    for (const stack of stacks) stack.close();
    await stopService(service);
  }
});

/** Two stacks that share a machine have looked the name up, and found it free, before either creates. */
async function both(fault: Fault | undefined, environment: Record<string, string> = {}, naive = false) {
  const service = await startService();
  const first = new FaultStack(service.gate, { naive, environment });
  const second = new FaultStack(service.gate, { naive, environment, home: first.home });
  const stacks = [first, second];
  opened.push({ service, stacks });
  await first.init();
  await second.init();
  service.gate.meet("GET", LIST, 2);
  if (fault !== undefined) service.emulator.failNext(fault);
  const ends = await Promise.all(stacks.map((stack) => stack.up(program)));
  // What failed is tried again, as people do.
  const again = await Promise.all(
    stacks.map((stack, index) => (ends[index]?.code === 0 ? ends[index] : stack.up(program))),
  );
  const ids = await Promise.all(stacks.map((stack) => stack.ids()));
  const shared = (ids[0] ?? []).filter((id) => ids[1]?.includes(id)).length;
  return { service, ends: [...ends, ...again], shared };
}

/** What becomes of the one request and of the other. */
const MEETINGS: { readonly [name: string]: Fault | undefined } = {
  "one request never arrives": { kind: "drop-before", ...POST },
  "both are answered": undefined,
  "one answer is lost": { kind: "drop-after", ...POST },
  "one is answered late": { kind: "delay", ms: 1_500, ...POST },
};

let [meetings, adoptions] = [0, 0];
afterAll(() =>
  tellFigures(`two stacks, one name, at once: ${meetings} meetings, ${adoptions} silent adoptions`),
);

test.each(isWhole ? Object.keys(MEETINGS) : Object.keys(MEETINGS).slice(0, 1))(
  "two stacks that create one name at once never end with the same deployment: %s",
  async (name) => {
    const { service, ends, shared } = await both(MEETINGS[name]);
    meetings += 1;
    adoptions += shared;
    expect(shared).toBe(0);
    for (const { code, text } of ends) {
      if (code === 0) continue;
      // Whoever fails is told of what there is, and how to manage it.
      expect(service.emulator.deployments().some(({ id }) => text.includes(id))).toBe(true);
      expect(text).toContain("adopt");
    }
  },
  LONG,
);

inTheWhole(
  "the same finds a provider wanting that takes whatever has the name",
  async () => {
    const fault = { kind: "drop-before", ...POST } as const;
    const { shared } = await both(fault, { NAIVE_ADOPTS: "1" }, true);
    expect(shared).toBe(1);
  },
  LONG,
);
