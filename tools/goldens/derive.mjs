// Makes reports from the recorded plans. The plans and the reports are checked in.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { cache, root } from "../steps.mjs";

const here = path.join(root, "test", "goldens");
const built = (file) => createRequire(import.meta.url)(path.join(cache, "compiled", "sdk", "report", file));
const written = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Plans and results that are also rendered in the formats for people. */
const SHOWN = ["mixed", "dependents", "hostile", "failed"];
const SHOWN_RESULTS = ["mixed", "failed", "langsmith"];
const ENDINGS = { markdown: "md", text: "txt", html: "html" };

/** `[file, text]` of each report and result in the formats for people. */
function shown({ evaluate, previewIn, eventsIn, resultOf, FORMATS }) {
  const read = (...file) => fs.readFileSync(path.join(here, ...file), "utf8");
  const preview = (name) => previewIn(read("previews", `${name}.json`), name);
  const report = (name) => evaluate(preview(name));
  const result = (name) =>
    resultOf(report(name), eventsIn(read("results", `${name}.up.jsonl`), name), preview(name));
  return Object.entries(ENDINGS).flatMap(([format, ending]) => [
    ...SHOWN.map((name) => [`${name}.${ending}`, FORMATS[format].plan([report(name)])]),
    ...SHOWN_RESULTS.map((name) => [`${name}.result.${ending}`, FORMATS[format].result([result(name)])]),
  ]);
}

export function derive() {
  const files = ["read/preview", "read/events", "evaluate/result", "evaluate/evaluate", "render/formats"];
  const modules = Object.assign({}, ...files.map((file) => built(`${file}.js`)));
  const { evaluate, previewIn } = modules;
  for (const file of fs.readdirSync(path.join(here, "previews"))) {
    const preview = previewIn(fs.readFileSync(path.join(here, "previews", file), "utf8"), file);
    fs.writeFileSync(
      path.join(here, "reports", file.replace(/\.json$/, ".report.json")),
      written(evaluate(preview)),
    );
  }
  fs.mkdirSync(path.join(here, "shown"), { recursive: true });
  for (const [file, text] of shown(modules)) fs.writeFileSync(path.join(here, "shown", file), text);
}
