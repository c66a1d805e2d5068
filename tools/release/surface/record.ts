/**
 * `npm run release:surface`: records the public surface of the version in package.json, with which every later one is
 * compared. `npm version` runs it. It keeps the record of a version that has one.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { version } from "../../../package.json";
import { unannounced } from "./breaking";
import { surfaceOf, today } from "./today";

const ROOT = path.join(__dirname, "../../..");
const RECORD = path.join(ROOT, "test/release/surface.json");

function problem(surface: ReturnType<typeof surfaceOf>): string | undefined {
  if (!existsSync(RECORD)) return undefined;
  const last = JSON.parse(readFileSync(RECORD, "utf8"));
  if (last.version === version)
    return `${RECORD} has the surface of ${version} already; it stays until the next version`;
  const lines = unannounced(last, surface, readFileSync(path.join(ROOT, "CHANGELOG.md"), "utf8"));
  return lines.length === 0 ? undefined : lines.join("\n");
}

const surface = surfaceOf(today());
const refusal = problem(surface);
if (refusal === undefined) writeFileSync(RECORD, `${JSON.stringify({ version, ...surface }, null, 2)}\n`);
else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
