#!/usr/bin/env node
/** `deployment-control COMMAND`: finds the command and gives it the rest of the line. */
import { readFileSync } from "node:fs";
import { BadInput, type Command } from "./command";
import { emulatorCommand } from "./emulator";
import { planCommand } from "./plan";

const commands: readonly Command[] = [emulatorCommand, planCommand];

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${version()}\n`);
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

/** By the package's own name: compiled, this file lies deeper. */
function version(): string {
  const file = require.resolve("pulumi-deployment-control/package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return [
    "usage: deployment-control COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    "`deployment-control COMMAND --help` explains one, `deployment-control --version` says which this is.",
    "",
  ].join("\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`deployment-control: ${message.trimEnd()}\n`);
  process.exitCode = 1;
});
