// `--write`: generates the tables and the plot in docs/ again from a file of figures, and keeps the prose around the
// tables.
import fs from "node:fs";
import path from "node:path";
import { root, Stop } from "../steps.mjs";
import { CANDIDATES, NAMES } from "./candidates.mjs";
import { plot } from "./plot.mjs";
import { SECTIONS } from "./sections.mjs";

const docs = path.join(root, "docs");
export const FIGURES = path.join(docs, "performance.json");

export function write(file) {
  if (!fs.existsSync(file))
    throw new Stop(`${file} is missing: make it with npm run bench -- --json ${file}`);
  const figures = JSON.parse(fs.readFileSync(file, "utf8"));
  const page = path.join(docs, "performance.md");
  let text = fs.readFileSync(page, "utf8");
  for (const [name, { table }] of Object.entries(SECTIONS))
    if (figures.sections[name] !== undefined)
      text = placed(
        text,
        name,
        `${table(figures.sections[name])}\n\nMeasured on ${figures.measuredOn[name]}.`,
      );
  fs.writeFileSync(page, placed(text, "machine", machineWords(figures)));
  if (figures.sections.operations !== undefined)
    fs.writeFileSync(path.join(docs, "performance.svg"), plot(panelsOf(figures.sections.operations)));
}

function placed(text, name, content) {
  const [from, to] = [`<!-- bench: ${name} -->`, `<!-- /bench: ${name} -->`];
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || end < start)
    throw new Stop(`docs/performance.md has no place for ${name}: ${from} … ${to}`);
  return `${text.slice(0, start + from.length)}\n${content}\n${text.slice(end)}`;
}

function machineWords({ machine }) {
  return (
    `${machine.cpus}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, Pulumi ${machine.pulumi}, ` +
    `load before the start ${machine.loadBefore}.`
  );
}

function panelsOf(rows) {
  const slowest = Math.max(...rows.map(({ latencyMs }) => latencyMs));
  const panel = (title, unit, command, latencyMs, heightOf) => ({
    title,
    unit,
    lines: NAMES.map((name) => ({
      name,
      points: rows
        .filter(
          (row) =>
            row.command === command &&
            row.candidate === name &&
            (row.latencyMs === latencyMs || CANDIDATES[name].asksNothing) &&
            heightOf(row) > 0,
        )
        .sort((a, b) => a.count - b.count)
        .map((row) => [row.count, heightOf(row)]),
    })).filter(({ points }) => points.length > 0),
  });
  const seconds = (row) => row.seconds.median;
  return [
    panel("up, create", "s", "up, create", 0, seconds),
    panel(`refresh at ${slowest} ms`, "s", "refresh", slowest, seconds),
    // The number of requests does not depend on the latency.
    panel("refresh", "requests", "refresh", 0, (row) => row.requests),
  ];
}
