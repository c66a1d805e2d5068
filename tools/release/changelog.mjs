// Reads and writes CHANGELOG.md. Its newest entry is for the version in package.json. `node changelog.mjs
// notes` prints that entry. `ready` fails if the next version has no notes yet. `begin` turns the unreleased
// notes into the entry of package.json's version.
import fs from "node:fs";
import path from "node:path";
import { asProgram, root, Stop } from "../steps.mjs";

const file = path.join(root, "CHANGELOG.md");
const HEADING = /^## \[(\d+\.\d+\.\d+\S*)\] - \d{4}-\d{2}-\d{2}$/m;
const UNRELEASED = "## [Unreleased]\n";

/** The newest version, and the text of its entry without the heading. */
export function newestEntry(text = fs.readFileSync(file, "utf8")) {
  const heading = HEADING.exec(text);
  if (!heading) throw new Stop(`${file} has no entry such as "## [1.2.3] - 2026-01-31"`);
  const after = text.slice(heading.index + heading[0].length);
  // The entry ends at the next entry, or at the links below the last entry.
  const [notes] = after.split(/^(?:## |\[[^\]]+\]: )/m);
  return { version: heading[1], notes: notes.trim() };
}

/** Turns the text under "Unreleased" into an entry for that version and day. */
export function begun(text, version, day) {
  const at = text.indexOf(UNRELEASED);
  if (at < 0) throw new Stop(`${file} has no line ${UNRELEASED.trim()}`);
  const textBelow = text.slice(at + UNRELEASED.length);
  const next = textBelow.search(/^## /m);
  if (textBelow.slice(0, next < 0 ? undefined : next).trim() === "")
    throw new Stop(
      `nothing is written under ${UNRELEASED.trim()} in CHANGELOG.md: say what ${version} brings`,
    );
  return `${text.slice(0, at)}${UNRELEASED}\n## [${version}] - ${day}\n${textBelow}`;
}

asProgram(import.meta.url, (command) => {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const text = fs.readFileSync(file, "utf8");
  const day = new Date().toISOString().slice(0, 10);
  if (command === "notes") process.stdout.write(`${newestEntry(text).notes}\n`);
  else if (command === "ready") begun(text, "the next version", day);
  else if (command === "begin") fs.writeFileSync(file, begun(text, version, day));
  else throw new Stop("usage: node changelog.mjs notes|ready|begin");
});
