/** Mutates one file, and reports how many mutants the tests find and which they miss. */
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";

const LONGEST_TEXT = 100;

/**
 * Runs the tool on the file with the tests. Returns `{all, found, survivors}` or, if the tool failed, its output as
 * `{words}`. `root` is the folder of the package, `folder` a folder for this run only.
 */
export async function mutate(root, folder, file, tests, signal) {
  const report = path.join(folder, "report.json");
  const stryker = path.join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const args = [stryker, "run", "tools/mutation/stryker.config.mjs", "--mutate", file];
  const { status, words } = await ran(args, root, signal, {
    ...process.env,
    MUTATION_TESTS: tests.join(","),
    MUTATION_REPORT: report,
    MUTATION_SANDBOX: path.join(folder, "sandbox"),
  });
  if (status !== 0) return { words };
  const [result] = Object.values(JSON.parse(readFileSync(report, "utf8")).files);
  rmSync(report);
  return counted(file, result ?? { source: "", mutants: [] });
}

/** The command's exit status and output; the status is null if the signal ended the command. */
function ran(args, cwd, signal, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], signal });
    let words = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        words += part;
      });
    }
    child.on("error", (error) => {
      words += error.message;
    });
    child.on("close", (status) => resolve({ status, words }));
  });
}

function counted(file, { source, mutants }) {
  const all = mutants.filter(({ status }) => !["Ignored", "RuntimeError"].includes(status));
  const survivors = all.filter(({ status }) => !["Killed", "Timeout"].includes(status));
  return {
    all: all.length,
    found: all.length - survivors.length,
    survivors: survivors.map((mutant) => placed(file, source, mutant)),
  };
}

/**
 * `provider/client/retry.ts:27:5 ConditionalExpression: retry >= most -> false`, which tells what the missing test has
 * to cover.
 */
export function placed(file, source, { location: { start, end }, mutatorName, replacement }) {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${short(lines.join(" "))} -> ${short(replacement)}`;
}

function short(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}
