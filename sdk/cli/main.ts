#!/usr/bin/env node
/** `deployment-control COMMAND`: finds the command and gives it the rest of the line. */
import { BadInput, type Command } from "./command";
import { emulatorCommand } from "./emulator";

const commands: readonly Command[] = [emulatorCommand];

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return;
  }
  const command = commands.find((other) => other.name === name);
  if (!command) {
    throw new BadInput(
      `${name === undefined ? "a command is missing" : `unknown command ${name}`}\n\n${overview()}`,
    );
  }
  await command.run(rest);
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return [
    "usage: deployment-control COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    "`deployment-control COMMAND --help` explains one.",
    "",
  ].join("\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`deployment-control: ${message.trimEnd()}\n`);
  process.exitCode = 1;
});
