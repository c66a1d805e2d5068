import { type AddressInfo, createServer } from "node:net";
import type { EngineMessages } from "../../../provider/engine/engine";
import { lastAnswers, Process } from "../../../provider/engine/process";

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
  await lastAnswers({ awaitsAnswers: true }, clock);
  expect(clock.now()).toBe(1_400);
});

test("the wait ends when the last awaited answer arrives", async () => {
  const journal = { awaitsAnswers: true };
  const clock = clockWith(() => {
    journal.awaitsAnswers = clock.now() < 1_100;
  });
  await lastAnswers(journal, clock);
  expect(clock.now()).toBe(1_100);
});

test("the wait ends at once if no answer is awaited", async () => {
  const clock = clockWith();
  await lastAnswers(undefined, clock);
  await lastAnswers({ awaitsAnswers: false }, clock);
  expect(clock.now()).toBe(1_000);
});

test.each(["SIGINT", "SIGBREAK"])(
  "when the engine ends the process with %s, as the engine does on some systems, the exit code is 0",
  async (signal) => {
    const engine = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await new Promise((resolve) => engine.once("listening", resolve));
    const exit = jest.spyOn(process, "exit").mockReturnValue(undefined as never);
    const ours = new Process(
      `127.0.0.1:${(engine.address() as AddressInfo).port}`,
      () => ({}) as EngineMessages,
    );
    expect(ours.run).toBeDefined();
    try {
      process.emit(signal as "SIGINT");
      expect(exit.mock.calls).toEqual([[0]]);
    } finally {
      ours.watch()?.close();
      engine.close();
      jest.restoreAllMocks();
      for (const each of ["SIGINT", "SIGBREAK"]) process.removeAllListeners(each);
    }
  },
);
