#!/usr/bin/env node
import { refuseOldNode } from "../../provider/run/configuration";
import { failureWords } from "../../provider/run/failureWords";
/** `deployment-control COMMAND`: finds and runs a command. */
import { didYouMean, escapeLines } from "../../provider/schema/words";
import { runAdopt } from "./adopt";
import { runDoctor } from "./doctor";
import { runEmulator } from "./emulator";
import { packageVersion } from "./input";
import { runPlan } from "./plan";
import { runRecover } from "./recover";
import { runRevisions } from "./revisions";
import { runRollback } from "./rollback";

/**
 * Runs a command. If the command throws, the process prints the message, without secrets or a stack trace, and exits
 * with 1.
 */
type Main = (args: readonly string[]) => Promise<void>;

const commands: { readonly [name: string]: readonly [summary: string, run: Main] } = {
  plan: ["reports what a preview will do to each deployment", runPlan],
  adopt: ["writes a program that declares what an account has, and later compares the two", runAdopt],
  doctor: ["checks settings, service and machine, and says what to fix", runDoctor],
  recover: ["finds out what a killed run did, so that the next update takes it over", runRecover],
  revisions: ["shows a deployment's revisions, and what each revision changed", runRevisions],
  rollback: ["plans the rollback to the settings of an older revision", runRollback],
  emulator: ["runs a local stand-in for the control service", runEmulator],
};

async function main([name = "", ...args]: readonly string[]): Promise<void> {
  refuseOldNode();
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  const [, run] = (Object.hasOwn(commands, name) && commands[name]) || [];
  if (run === undefined) {
    const problem = name === "" ? "a command is missing" : `unknown command ${name}`;
    throw new Error(`${problem}${didYouMean(name, Object.keys(commands))}\n\n${overview()}`);
  }
  await run(args);
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, [summary]]) => `  ${name.padEnd(11)}${summary}`);
  return [
    "usage: deployment-control COMMAND [OPTIONS]",
    "",
    ...lines,
    "",
    "`deployment-control COMMAND --help` explains a command, `deployment-control --version` prints the version.",
    "",
  ].join("\n");
}

/** A write that fails because the reader stopped early (`| head`) is not an error. */
function onWriteError(name: string): (error: NodeJS.ErrnoException) => void {
  return ({ code, message }) => {
    if (code === "EPIPE") return;
    process.exitCode = 1;
    process.stderr.write(`deployment-control: ${name}: cannot be written: ${message}\n`);
  };
}

process.stdout.on("error", onWriteError("standard output"));
// A failure to write to standard error cannot be reported anywhere.
process.stderr.on("error", () => {});

main(process.argv.slice(2)).catch((error: unknown) => {
  // The message may quote a file that contains control characters.
  process.stderr.write(`deployment-control: ${escapeLines(failureWords(error).trimEnd())}\n`);
  process.exitCode = 1;
});
