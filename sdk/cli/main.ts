#!/usr/bin/env node
/** `deployment-control COMMAND`: finds the command and gives it the rest of the line. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { plain } from "../../provider/fields/words";

/** Runs a command; the process shows what it throws, without a stack, and ends with 1. */
type Run = (args: readonly string[]) => Promise<void>;

/** A command is loaded only when it runs: a report needs no service. */
const commands: readonly { readonly name: string; readonly summary: string; readonly load: () => Run }[] = [
  {
    name: "plan",
    summary: "reports what a preview will do to each deployment",
    load: () => (require("./plan") as typeof import("./plan")).runPlan,
  },
  {
    name: "adopt",
    summary: "writes a program of what an account has, and compares the two later",
    load: () => (require("./adopt") as typeof import("./adopt")).runAdopt,
  },
  {
    name: "emulator",
    summary: "runs a local stand-in for the control service",
    load: () => (require("./emulator") as typeof import("./emulator")).runEmulator,
  },
];

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
    const what = name === undefined ? "a command is missing" : `unknown command ${name}${perhapsStale()}`;
    throw new Error(`${what}\n\n${overview()}`);
  }
  await command.load()(rest);
}

// A checkout runs its last build, and the sources beside it may have the command; a package has no sources.
function perhapsStale(): string {
  return existsSync(path.join(path.dirname(manifest()), "sdk/cli/main.ts"))
    ? "\n\nThis is the build in dist/, perhaps older than the sources beside it: `npm run build` makes it anew."
    : "";
}

function version(): string {
  return JSON.parse(readFileSync(manifest(), "utf8")).version;
}

/** By the package's own name: compiled, this file lies deeper. */
function manifest(): string {
  return require.resolve("pulumi-deployment-control/package.json");
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

/** A reader that stops early, such as `| head`, is no error. */
function unwritable(name: string): (error: NodeJS.ErrnoException) => void {
  return ({ code, message }) => {
    if (code === "EPIPE") return;
    process.exitCode = 1;
    process.stderr.write(`deployment-control: ${name}: cannot be written: ${message}\n`);
  };
}

process.stdout.on("error", unwritable("standard output"));
// Nobody is left to read a message about it.
process.stderr.on("error", () => {});

main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  // A message may quote a file, and a file may hold control characters.
  const lines = message.trimEnd().split("\n").map(plain);
  process.stderr.write(`deployment-control: ${lines.join("\n")}\n`);
  process.exitCode = 1;
});
