import { lookUntil, momentAt } from "../../../provider/journal/moment";
import { turnedClock } from "../client/serving";

test("a request is over ten seconds after its time-out, and the service's clock is told as far as it is ahead", () => {
  expect(momentAt(1_000_000, -250, 30)).toEqual({
    sentAt: 1_000_000,
    serviceTime: 999_750,
    overAt: 1_040_000,
  });
});

async function looked(overAt: number, answers: readonly (string | undefined)[]) {
  const clock = turnedClock(0);
  let looks = 0;
  const found = await lookUntil(clock, overAt, async () => {
    looks += 1;
    return answers[looks - 1];
  });
  return { found, looks, slept: clock.slept };
}

test("what is there is found at the first look", async () => {
  expect(await looked(10_000, ["it"])).toEqual({ found: "it", looks: 1, slept: [] });
  expect(await looked(0, ["it"])).toEqual({ found: "it", looks: 1, slept: [] });
});

test("looks come every two seconds, and the last one when nothing can arrive any more", async () => {
  const nothing = { found: undefined, looks: 4, slept: [2_000, 2_000, 1_000] };
  expect(await looked(5_000, [])).toEqual(nothing);
  expect(await looked(5_000, [undefined, undefined, undefined, "late"])).toEqual({
    ...nothing,
    found: "late",
  });
  expect(await looked(5_000, [undefined, "it"])).toEqual({ found: "it", looks: 2, slept: [2_000] });
});

test("when nothing can arrive any more there is one look", async () => {
  expect(await looked(0, [])).toEqual({ found: undefined, looks: 1, slept: [] });
  expect(await looked(-1, [])).toEqual({ found: undefined, looks: 1, slept: [] });
});

test("a look during which the time ends is not the last", async () => {
  const clock = turnedClock(0);
  let looks = 0;
  await lookUntil(clock, 10, async () => {
    looks += 1;
    clock.turn(20);
    return undefined;
  });
  expect([looks, clock.slept]).toEqual([2, [1]]);
});
