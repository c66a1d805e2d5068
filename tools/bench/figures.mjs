// Helpers that all sections share: medians, the words for a spread, and the description of this machine.
import os from "node:os";

export function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
}

/** `{median, low, high}` of the figures, rounded to `decimals` places. */
export function spreadOf(figures, decimals = 2) {
  const round = (figure) => Number(figure.toFixed(decimals));
  return {
    median: round(median(figures)),
    low: round(Math.min(...figures)),
    high: round(Math.max(...figures)),
  };
}

export function spreadWords({ median: middle, low, high }, unit = "s") {
  return `${middle} ${unit} (${low} to ${high})`;
}

export function machine(pulumiVersion) {
  const [cpu] = os.cpus();
  return {
    cpus: `${os.cpus().length} x ${cpu?.model.trim() ?? "unknown"}`,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    pulumi: pulumiVersion,
    loadBefore: Number(os.loadavg()[0].toFixed(1)),
  };
}

/** A table in Markdown; the first column is text, the others are numbers. */
export function markdownTable(header, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, index) => (index === 0 ? "---" : "--:"));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}
