import { lookUntil, momentAt, whenMade } from "../../../provider/journal/moment";
import { turnedClock } from "../../support/httpServer";

test("a request may arrive until ten seconds after its time-out", () => {
  expect(momentAt(1_000_000, 30)).toEqual({ sentAt: 1_000_000, expiresAt: 1_040_000 });
});

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (milliseconds: number) => new Date(NOON + milliseconds).toISOString();

test.each([
  [-300_000, "before"],
  [-251, "before"],
  [-250, "during"],
  [0, "during"],
  [40_000, "during"],
  [40_250, "during"],
  [40_251, "after"],
] as const)(
  "a deployment that was created %i ms after a request with a time-out of 40 s was made %s",
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

async function looksUntil(expiresAt: number, answers: readonly (string | undefined)[]) {
  const clock = turnedClock(0);
  let looks = 0;
  const look = async () => {
    looks += 1;
    return answers[looks - 1];
  };
  const announcedSeconds: number[] = [];
  const result = await lookUntil(
    clock,
    expiresAt,
    look,
    async (seconds) => void announcedSeconds.push(seconds),
  );
  return { result, looks, slept: clock.slept, told: announcedSeconds };
}

test("the run looks at the service every two seconds, says once for how long, and looks a last time when the request can no longer arrive", async () => {
  const nothing = { result: undefined, looks: 4, slept: [2_000, 2_000, 1_000], told: [5] };
  expect(await looksUntil(5_000, [])).toEqual(nothing);
  expect(await looksUntil(5_000, [undefined, undefined, undefined, "late"])).toEqual({
    ...nothing,
    result: "late",
  });
  expect(await looksUntil(5_000, [undefined, "it"])).toEqual({
    result: "it",
    looks: 2,
    slept: [2_000],
    told: [5],
  });
});

test("if the request can no longer arrive, the run looks exactly once", async () => {
  expect(await looksUntil(0, [])).toEqual({ result: undefined, looks: 1, slept: [], told: [] });
  expect(await looksUntil(-1, [])).toEqual({ result: undefined, looks: 1, slept: [], told: [] });
});
