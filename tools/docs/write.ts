/** `npm run docs`: writes the generated parts of the documentation. A guard fails if a generated part is stale. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { madeFiles, REFERENCE } from "./pages";

const root = path.join(__dirname, "..", "..");
mkdirSync(path.join(root, REFERENCE), { recursive: true });
for (const [file, text] of Object.entries(madeFiles())) writeFileSync(path.join(root, file), text);
