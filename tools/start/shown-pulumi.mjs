// Runs the Pulumi commands of `npm start`, and shows each command as a user would type it. The output has no
// progress rows.
import fs from "node:fs";
import path from "node:path";
import { stripVTControlCharacters as plain, styleText } from "node:util";
import { executable, pinnedNode, root, Stop } from "../steps.mjs";
import { pulumiEnvironment } from "../toolchain/environment.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";
import { endOf, startChild } from "./children.mjs";

const stack = "demo";
const isColorful = process.stdout.isTTY && !process.env.NO_COLOR;

/** Bold text, if the reader's terminal can show it. */
export const bold = (text) => (isColorful ? styleText("bold", text) : text);

/**
 * A stack of the project in `folder`. The stack's state and settings are in `home`, so the project stays unchanged.
 */
export async function stackOf(folder, home) {
  const settings = path.join(home, "project");
  fs.mkdirSync(settings, { recursive: true });
  fs.copyFileSync(path.join(folder, "Pulumi.yaml"), path.join(settings, "Pulumi.yaml"));
  // A run's providers record their claims on deployments in the temporary folder, so this run gets a separate
  // folder.
  const env = { ...pulumiEnvironment(home), PULUMI_STACK: stack, TMPDIR: home };
  const place = ["--config-file", path.join(settings, `Pulumi.${stack}.yaml`)];
  const run = (args, options) => runPulumi(args, { env, ...options });
  const color = ["--color", isColorful ? "always" : "never"];
  const shared = ["--non-interactive", "--suppress-progress", "--suppress-outputs", ...color];

  // The diagnostics shown since a setting last changed. `pulumi up` would only repeat them.
  const shown = new Set();
  // Pulumi writes the stack's key and settings next to the project file, so this command uses a copy of that file.
  await run(["stack", "init", stack, "--non-interactive"], { cwd: settings });
  return {
    /** Sets a value and prints nothing. A secret is passed on stdin, so that the list of processes does not show it. */
    keep: (key, value, { secret = false } = {}) =>
      secret
        ? run(["config", "set", "--secret", key], { cwd: settings, input: value })
        : run(["config", "set", key, value], { cwd: settings }),
    show: async (args, { only } = {}) => {
      process.stdout.write(`${bold(`$ pulumi ${args.join(" ")}`)}\n`);
      const isSetting = args[0] === "config";
      if (isSetting) shown.clear();
      const fullArgs = isSetting ? args : [...args, ...shared, ...place];
      const printed = await run(fullArgs, { cwd: isSetting ? settings : folder });
      if (only) process.stdout.write(`${withoutRepeats(only(printed), shown).trim()}\n\n`);
    },
    /** Shows the plan for an update that would start now. */
    showReport: async () => {
      const args = ["preview", "--json", "--show-sames"];
      process.stdout.write(
        `${bold(`$ pulumi ${args.join(" ")} | npx --no-install deployment-control plan`)}\n`,
      );
      const { out } = await run([...args, "--non-interactive", ...place], { cwd: folder });
      const report = await runQuiet(pinnedNode, [command, "plan"], { env: { ...env, ...paint }, input: out });
      process.stdout.write(`${report.out.trim()}\n\n`);
    },
  };
}

const command = path.join(root, "dist", "sdk", "cli", "main.js");
const paint = isColorful ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };

function runPulumi(args, options) {
  return runQuiet(path.join(findPulumi().bin, executable("pulumi")), args, options);
}

async function runQuiet(program, args, { cwd, env, input }) {
  const started = startChild(program, args, { cwd, env, stdio: "pipe" });
  const printed = { out: "", errors: "" };
  started.child.stdout.on("data", (text) => {
    printed.out += text;
  });
  started.child.stderr.on("data", (text) => {
    printed.errors += text;
  });
  started.child.stdin.on("error", () => {});
  started.child.stdin.end(input);
  const code = await endOf(started);
  if (code === 0) return printed;
  throw new Stop(
    `${path.basename(program)} ${args.join(" ")}: exit code ${code}\n${printed.out}${printed.errors}`,
  );
}

/** The diagnostics and totals, without the progress rows, which repeat the same facts. */
export function summary({ out }) {
  const lines = out.split("\n");
  const from = lines.findIndex((line) => /^(Diagnostics|Resources):/.test(plain(line)));
  const to = lines.findIndex((line) => /^Duration:/.test(plain(line)));
  return lines.slice(Math.max(from, 0), to < 0 ? undefined : to).join("\n");
}

/** Leaves out diagnostics that were shown before, and resources without new diagnostics. */
function withoutRepeats(text, shown) {
  const groups = text.trim().split("\n\n");
  const totals = groups.at(-1);
  const isNew = (line) => !/^ {4}\S/.test(plain(line)) || (!shown.has(plain(line)) && shown.add(plain(line)));
  const diagnostics = groups
    .slice(0, -1)
    .map((group) => group.split("\n").filter(isNew))
    .map((lines) => lines.filter((line) => plain(line) !== "Diagnostics:"))
    .filter((lines) => lines.length > 1)
    .map((lines) => lines.join("\n"));
  const [first, ...others] = diagnostics;
  return [...(first === undefined ? [] : [`Diagnostics:\n${first}`, ...others]), totals].join("\n\n");
}
