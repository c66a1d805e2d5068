/** `deployment-control emulator`: the embedded service until it is interrupted. */
import { startEmulator } from "../emulator/index";
import type { Command } from "./command";
import { emulatorUsage, readEmulatorFlags } from "./emulatorFlags";

export const emulatorCommand: Command = {
  run: runEmulator,
};

async function runEmulator(args: readonly string[]): Promise<void> {
  const options = readEmulatorFlags(args);
  if (options === "help") {
    process.stdout.write(emulatorUsage());
    return;
  }
  const stopped = interrupted();
  const emulator = await startEmulator(options);
  process.stdout.write(`listening on ${emulator.url}\n`);
  await stopped;
  await emulator.close();
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
