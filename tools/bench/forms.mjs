// The section `forms`: compares the cost of the plugin and of the dynamic form, and each form with its floor. The runs
// alternate.
import { CANDIDATES } from "./candidates.mjs";
import { markdownTable, spreadWords } from "./figures.mjs";
import { measureOperations } from "./operations.mjs";

/** The plugin's candidates, with the language or package that declares their deployments. */
const PROGRAMS = { plugin: "package for Node", yaml: "YAML", python: "Python" };
const ONLY = ["floor", "ours", ...Object.keys(PROGRAMS).flatMap((name) => [CANDIDATES[name].floor, name])];

export const measureForms = (settings) => measureOperations({ only: ONLY, ...settings, latencies: [0] });

export function formsTable(rows) {
  const measured = (row, candidate) =>
    rows.find((one) => one.candidate === candidate && one.command === row.command && one.count === row.count);
  const words = (row) => (row === undefined ? "" : spreadWords(row.seconds));
  const ratio = (row, other) =>
    row === undefined || other === undefined ? "" : (row.seconds.median / other.seconds.median).toFixed(2);
  const plugins = Object.keys(PROGRAMS).flatMap((name) => rows.filter(({ candidate }) => candidate === name));
  return markdownTable(
    [
      "command",
      "N",
      "runs",
      "dynamic form",
      "plugin, declared by",
      "plugin",
      "ratio",
      "dynamic form x its floor",
      "plugin x its floor",
      "peak MB of both",
    ],
    plugins.map((row) => {
      const dynamic = measured(row, "ours");
      return [
        row.command,
        row.count,
        row.runs,
        words(dynamic),
        PROGRAMS[row.candidate],
        words(row),
        ratio(row, dynamic),
        ratio(dynamic, measured(row, CANDIDATES.ours.floor)),
        ratio(row, measured(row, CANDIDATES[row.candidate].floor)),
        `${dynamic?.peakMb ?? ""}, ${row.peakMb ?? ""}`,
      ];
    }),
  );
}
