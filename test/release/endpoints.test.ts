/** Tests the command that compares the recorded facts of the service's API document with a newer document. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { differences } from "../../tools/endpoints/compare";

const RECORDER = path.join(__dirname, "../../tools/endpoints/record.mjs");
const recording = JSON.parse(readFileSync(path.join(__dirname, "../endpoints/recording.json"), "utf8"));

// biome-ignore lint/suspicious/noExplicitAny: an edit can change any place in the document.
type Loose = any;

/** The lines that the command prints for the recorded document after an edit. */
function linesAfter(edit: (document: Loose) => void): string[] {
  const document = JSON.parse(JSON.stringify(recording));
  edit(document);
  return differences(recording, document);
}

test("the command accepts a document that differs only in its prose, and fails with a line for each other difference", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "a folder "));
  const compared = (document: object) => {
    const file = path.join(folder, "document.json");
    writeFileSync(file, JSON.stringify(document));
    const { status, stdout } = spawnSync(process.execPath, [RECORDER, "compare", file], { encoding: "utf8" });
    return { status, lines: stdout.split("\n").filter(Boolean) };
  };
  try {
    const { info, paths, schemas } = structuredClone(recording);
    const document = { info: { ...info, description: "new" }, paths, components: { schemas } };
    schemas.Deployment.properties.name.description = "The name.";
    expect(compared(document)).toEqual({ status: 0, lines: [] });
    delete schemas.Deployment.properties.image_version;
    expect(compared(document)).toEqual({ status: 1, lines: ["- Deployment.image_version"] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a recorded fact about the newer service does not count as a difference, whether or not the document states that fact", () => {
  const knownFields = ({ schemas }: Loose) => {
    const { properties } = schemas.Deployment;
    properties.display_name = { anyOf: [{ type: "string" }, { type: "null" }] };
    properties.status.enum.push("AWAITING_FINAL_DELETE");
    const open = { anyOf: [{ type: "string" }, { type: "null" }] };
    schemas.SourceConfig.properties.deployment_type = open;
  };
  expect(linesAfter(knownFields)).toEqual([]);
  expect(linesAfter(() => undefined)).toEqual([]);
});
