/** The command that compares the recorded facts of the service's API document with a newer document. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const RECORDER = path.join(__dirname, "../../tools/endpoints/record.mjs");
const { info, paths, schemas } = JSON.parse(
  readFileSync(path.join(__dirname, "../endpoints/recording.json"), "utf8"),
);

function compared(document: object) {
  const folder = mkdtempSync(path.join(tmpdir(), "a folder "));
  try {
    const file = path.join(folder, "document.json");
    writeFileSync(file, JSON.stringify(document));
    const { status, stdout } = spawnSync(process.execPath, [RECORDER, "compare", file], { encoding: "utf8" });
    return { status, lines: stdout.split("\n").filter(Boolean) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a document with the recorded facts and other prose does not differ", () => {
  const document = { info: { ...info, description: "new" }, paths, components: { schemas } };
  expect(compared(document)).toEqual({ status: 0, lines: [] });
});

test("a new path, a lost schema and a changed schema are named", () => {
  const [lost = "", altered = "", ...rest] = Object.keys(schemas);
  const unchanged = Object.fromEntries(rest.map((name) => [name, schemas[name]]));
  const newer = { ...unchanged, [altered]: { type: "changed" } };
  const document = { info, paths: { ...paths, "/new": { get: {} } }, components: { schemas: newer } };
  expect(compared(document)).toEqual({
    status: 1,
    lines: ["+ paths /new", ...[`- schemas ${lost}`, `~ schemas ${altered}`]],
  });
});
