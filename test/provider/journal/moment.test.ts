import { lookUntil, momentAt, whenMade } from "../../../provider/journal/moment";
import { turnedClock } from "../../support/httpServer";

test("a request may arrive until ten seconds after its time-out", () => {
  expect(momentAt(1_000_000, 30)).toEqual({ sentAt: 1_000_000, expiresAt: 1_040_000 });
});

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();

test.each([
  [-251, "before"],
  [-250, "during"],
  [40_000, "during"],
  [40_250, "during"],
  [40_251, "after"],
] as const)(
  "if a request may arrive for 40 s, a creation time %i ms after the request is %s this period",
  (milliseconds, time) => {
    for (const ahead of [-3_600_000, 0, 20_000])
      expect(whenMade(at(milliseconds + ahead), momentAt(NOON, 30), ahead)).toBe(time);
  },
);

test("a creation time that is truncated to the second may be up to a second too early", () => {
  const moment = momentAt(NOON + 900, 30);
  expect(whenMade("2030-01-01T12:00:00Z", moment, 0)).toBe("during");
  expect(whenMade("2030-01-01T11:59:59Z", moment, 0)).toBe("before");
  expect(whenMade("2030-01-01T12:00:41Z", moment, 0)).toBe("during");
  expect(whenMade("2030-01-01T12:00:42Z", moment, 0)).toBe("after");
});

test.each([undefined, null, "yesterday"])("the creation time %p proves nothing", (createdAt) => {
  expect(whenMade(createdAt, momentAt(NOON, 30), 0)).toBeUndefined();
});

test.each([
  ["a last time at the end of a wait of five seconds", 5_000, [2_000, 2_000, 1_000]],
  ["exactly once without a wait", 0, []],
])("the run looks for a late request every two seconds, and %s", async (_what, expiresAt, slept) => {
  const clock = turnedClock(0);
  const [last, looks] = [slept.length + 1, [] as number[]];
  const look = async () => (looks.push(clock.now()) === last ? "late" : undefined);
  expect(await lookUntil(clock, expiresAt, look, async () => undefined)).toBe("late");
  expect([clock.slept, looks.at(-1)]).toEqual([slept, expiresAt]);
});
