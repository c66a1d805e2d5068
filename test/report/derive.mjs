// What is derived from the recorded plans and from the model, and checked in: the reports and the JSON Schema.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "../toolchain/steps.mjs";

const here = path.join(root, "test", "report");
const built = (file) => createRequire(import.meta.url)(path.join(root, "dist", "sdk", "report", file));
const written = (value) => `${JSON.stringify(value, null, 2)}\n`;

export function derive() {
  const { judge } = built("judge.js");
  const { previewsIn } = built("preview.js");
  const { jsonSchemaOfReports } = built("schema.js");
  fs.writeFileSync(path.join(root, "sdk", "report", "report.schema.json"), written(jsonSchemaOfReports()));
  for (const file of fs.readdirSync(path.join(here, "previews"))) {
    const [preview] = previewsIn(fs.readFileSync(path.join(here, "previews", file), "utf8"), file);
    fs.writeFileSync(
      path.join(here, "reports", file.replace(/\.json$/, ".report.json")),
      written(judge(preview)),
    );
  }
}
