/** Stores the results of a run, so that an interrupted run can resume, and prints their table. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const DECIDING = ["provider", "sdk", "test", "tools/test", "package-lock.json"];

/** A hash of everything that a score depends on. Results of other sources are not reused. */
export function fingerprintOf(root) {
  const hash = createHash("sha256");
  for (const file of DECIDING.flatMap((name) => filesIn(path.join(root, name))).sort())
    hash.update(path.relative(root, file)).update(readFileSync(file));
  return hash.digest("hex");
}

function filesIn(place) {
  if (path.extname(place) !== "") return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs|json)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The scores of the same sources by file, or by mutant; none if the sources have changed. */
export function readResults(file, fingerprint) {
  try {
    const stored = JSON.parse(readFileSync(file, "utf8"));
    return stored.fingerprint === fingerprint ? stored.scores : {};
  } catch {
    return {};
  }
}

export function writeResults(file, fingerprint, scores) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ fingerprint, scores }, null, 2));
}

export const percent = ({ all, found }) =>
  all === undefined ? Number.NaN : all === 0 ? 100 : (100 * found) / all;

/** `97.4 %`, truncated and not rounded: 84.99 does not become 85. */
export const shown = (score) =>
  Number.isNaN(percent(score)) ? "failed" : `${(Math.floor(percent(score) * 10) / 10).toFixed(1)} %`;

/** One line per file, and a total. */
export function tableOf(scores) {
  const rows = Object.entries(scores).map(([file, score]) => [
    file,
    shown(score),
    score.all === undefined ? "" : `${score.found}/${score.all}`,
    `${score.seconds} s`,
  ]);
  const total = { all: 0, found: 0, seconds: 0 };
  for (const score of Object.values(scores))
    for (const name of Object.keys(total)) total[name] += score[name] ?? 0;
  rows.push(["all", shown(total), `${total.found}/${total.all}`, `${total.seconds} s`]);
  return aligned([["file", "score", "found/mutants", "time"], ...rows]);
}

/** Rows of cells as lines with aligned columns. */
export function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column], column)).join("  "))
    .join("\n");
}

const pad = (cell, width, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));
