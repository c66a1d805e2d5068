/** `npm run docs`: writes what the documentation holds of the tables. A guard fails where that is stale. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { classTable } from "./classTable";
import { schemaText } from "./schema/package";

const root = path.join(__dirname, "..", "..");
writeFileSync(path.join(root, "provider", "schema.json"), schemaText());

const readme = path.join(root, "README.md");
const text = readFileSync(readme, "utf8");
const [head] = classTable().split("\n") as [string];
const start = text.indexOf(head);
if (start === -1) throw new Error(`README.md has no line ${head}`);
const end = text.indexOf("\n\n", start);
writeFileSync(readme, text.slice(0, start) + classTable() + text.slice(end));
