import { lastAnswers } from "../../../provider/host/process";

/** A clock on which pauses take no time. Each pause calls `onSleep`. */
function clockWith(onSleep: () => void = () => undefined) {
  let now = 1_000;
  return {
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
      onSleep();
    },
  };
}

test("a process whose engine is gone waits a limited time for answers that never come", async () => {
  const clock = clockWith();
  await lastAnswers([{ awaitsAnswers: false }, { awaitsAnswers: true }], clock);
  expect(clock.now()).toBe(1_400);
});

test("an answer that arrives during the wait is noted, and ends the wait", async () => {
  const journal = { awaitsAnswers: true };
  const clock = clockWith(() => {
    journal.awaitsAnswers = clock.now() < 1_100;
  });
  await lastAnswers([journal], clock);
  expect(clock.now()).toBe(1_100);
});

test("a process that awaits nothing ends at once", async () => {
  const clock = clockWith();
  await lastAnswers([], clock);
  await lastAnswers([{ awaitsAnswers: false }], clock);
  expect(clock.now()).toBe(1_000);
});
