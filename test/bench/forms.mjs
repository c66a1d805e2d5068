// The section `forms`: what the plugin costs beside the dynamic form, with the floor of each, in turns.
import { markdownTable, spreadWords } from "./figures.mjs";
import { measureOperations } from "./operations.mjs";

const ONLY = ["floor", "ours", "plugin-floor", "plugin"];

export const measureForms = (settings) => measureOperations({ only: ONLY, ...settings, latencies: [0] });

export function formsTable(rows) {
  const measured = (row, candidate) =>
    rows.find((one) => one.candidate === candidate && one.command === row.command && one.count === row.count);
  const words = (row) => (row === undefined ? "" : spreadWords(row.seconds));
  const ratio = (row, other) =>
    row === undefined || other === undefined ? "" : (row.seconds.median / other.seconds.median).toFixed(2);
  const plugins = rows.filter(({ candidate }) => candidate === "plugin");
  return markdownTable(
    ["command", "N", "runs", "dynamic form", "plugin", "ratio", "ratio of the floors", "peak MB of both"],
    plugins.map((row) => {
      const dynamic = measured(row, "ours");
      return [
        row.command,
        row.count,
        row.runs,
        words(dynamic),
        words(row),
        ratio(row, dynamic),
        ratio(measured(row, "plugin-floor"), measured(row, "floor")),
        `${dynamic?.peakMb ?? ""}, ${row.peakMb ?? ""}`,
      ];
    }),
  );
}
