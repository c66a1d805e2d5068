/**
 * `node tools/endpoints/record.mjs DOCUMENT` records the facts in the public service's OpenAPI document. The tests
 * compare requests, answers and the embedded service with these facts. The OpenAPI document is not part of the
 * project.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const RECORDING = path.join(import.meta.dirname, "../../test/endpoints/recording.json");

/** Members of a schema or an operation that are prose, not facts. */
const PROSE = new Set([
  "title",
  "summary",
  "description",
  "example",
  "examples",
  "operationId",
  "tags",
  "security",
  "default",
]);

/** Each path's methods, parameters, bodies and answers, and each schema's fields with types, bounds and enums. */
function factsOf(document) {
  const { title, version } = document.info;
  return {
    info: { title, version },
    paths: withoutProse(document.paths),
    schemas: withoutProse(document.components.schemas),
  };
}

/** Leaves out members that are prose. A path, a schema or a property stays even if its name is in `PROSE`. */
function withoutProse(node, holdsNames = true) {
  if (Array.isArray(node)) return node.map((each) => withoutProse(each, false));
  if (typeof node !== "object" || node === null) return node;
  const members = Object.entries(node).filter(([name]) => holdsNames || !PROSE.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, withoutProse(value, !holdsNames && name === "properties")]),
  );
}

/** One line for each path and each schema, so that `git diff` shows the changes of a newer document. */
function printed({ info, paths, schemas }, sha256) {
  const lines = (members) =>
    Object.entries(members).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const section = (name, members) => `  "${name}": {\n${lines(members).join(",\n")}\n  }`;
  const head = `  "info": ${JSON.stringify({ ...info, sha256 })}`;
  return `{\n${[head, section("paths", paths), section("schemas", schemas)].join(",\n")}\n}\n`;
}

const [document] = process.argv.slice(2);
if (document === undefined) throw new Error("give the file of the OpenAPI document");
const text = readFileSync(document, "utf8");
const sha256 = createHash("sha256").update(text).digest("hex");
writeFileSync(RECORDING, printed(factsOf(JSON.parse(text)), sha256));
