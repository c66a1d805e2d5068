// `npm run bench`: measures the cost of the provider in both of its forms. Compares the provider with trivial resources
// that have the same inputs and outputs (the floor of each form), and with the most obvious implementation.
// `npm run bench -- --help` lists the flags.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled } from "../build/ensure.mjs";
import { fail, Stop, say } from "../steps.mjs";
import { findPulumi } from "../toolchain/pulumi.mjs";
import { NAMES } from "./candidates.mjs";
import { machine } from "./figures.mjs";
import { SECTIONS } from "./sections.mjs";
import { FIGURES, write } from "./written.mjs";

const HELP = `npm run bench -- [flags]
  --startup, --report, --operations, --forms, --checkpoints, --waiting, --connections   the sections to run; --all runs
                       each, none of them the first three
  --count 1,10,100,500 numbers of deployments; with 500 it takes most of an hour, without a quarter of one
  --runs 5             runs of each, or one number for each of --count: 5,5,5,3; waiting and connections: 3 unless given
  --latency 0,50       milliseconds by which the service delays its answers
  --only floor,ours    candidates: ${NAMES.join(", ")}
  --seconds 3          how long a rollout takes in the section waiting
  --json FILE          also writes the figures there; sections and rows that were not run stay as they are in it
  --write              measures nothing: makes the tables and the plot in docs/ from --json (docs/performance.json)`;

/** The sections to run if the command names none. */
const FIRST = ["startup", "report", "operations"];

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(
      [...Object.keys(SECTIONS), "all", "write", "help"].map((name) => [name, { type: "boolean" }]),
    ),
    count: { type: "string", default: "1,10,100,500" },
    runs: { type: "string" },
    latency: { type: "string", default: "0,50" },
    only: { type: "string" },
    seconds: { type: "string", default: "3" },
    json: { type: "string" },
  },
});

try {
  if (values.help) console.log(HELP);
  else if (values.write) write(path.resolve(values.json ?? FIGURES));
  else await main();
} catch (error) {
  fail(error);
}

async function main() {
  ensureInstalled();
  ensureBuilt();
  const settings = settingsOf(values);
  const figures = { takenAt: new Date().toISOString(), machine: machine(findPulumi().version), sections: {} };
  for (const [name, section] of chosen()) {
    const started = Date.now();
    figures.sections[name] = await section.measure(section.settings(settings));
    console.log(`\n${section.table(figures.sections[name])}\n`);
    say(`${name}: ${Math.round((Date.now() - started) / 1000)} s`);
  }
  if (values.json) save(path.resolve(values.json), figures);
}

function chosen() {
  const named = Object.entries(SECTIONS).filter(([name]) => values.all || values[name]);
  return named.length > 0 ? named : Object.entries(SECTIONS).filter(([name]) => FIRST.includes(name));
}

function settingsOf({ count, runs, latency, only, seconds }) {
  const candidates = only?.split(",");
  const stranger = candidates?.find((name) => !NAMES.includes(name));
  if (stranger !== undefined) throw new Stop(`--only: got ${stranger}; allowed: ${NAMES.join(", ")}`);
  const [each, few] = [numbers("runs", runs ?? "5"), numbers("runs", runs ?? "3")];
  return {
    counts: numbers("count", count),
    runs: {
      operations: each,
      waiting: few[0],
      connections: few[0],
      report: each[0],
      startup: Math.max(15, each[0]),
    },
    latencies: numbers("latency", latency, 0),
    seconds: numbers("seconds", seconds, 0)[0],
    candidates,
  };
}

function numbers(flag, words, least = 1) {
  const counts = words.split(",").map(Number);
  if (counts.every((number) => Number.isInteger(number) && number >= least)) return counts;
  throw new Stop(`--${flag}: got ${words}; allowed: integers of at least ${least}, separated by commas`);
}

function save(file, figures) {
  const { sections: before = {}, measuredOn: datesBefore = {} } = fs.existsSync(file)
    ? JSON.parse(fs.readFileSync(file, "utf8"))
    : {};
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const sections = Object.entries(figures.sections).map(([name, rows]) => {
    const { merged = (_before, measured) => measured } = SECTIONS[name];
    return [name, merged(before[name] ?? [], rows)];
  });
  const { takenAt, machine } = figures;
  const dates = Object.keys(figures.sections).map((name) => [name, takenAt.slice(0, 10)]);
  const all = {
    machine,
    measuredOn: { ...datesBefore, ...Object.fromEntries(dates) },
    sections: { ...before, ...Object.fromEntries(sections) },
  };
  fs.writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
