/** The packages that Pulumi generates from the schema; they are made for each run, and none is checked in. */
import path from "node:path";
import { linesOf } from "./hosts";

/** The package for programs in the language, in a subfolder of this folder. */
export function generatedPackage(language: "nodejs" | "python" | "java", folder: string): string {
  linesOf("packages.mjs", folder, language);
  return path.join(folder, language);
}
