/** The packages that Pulumi generates from the schema, made anew: none is checked in. */
import path from "node:path";
import { linesOf } from "./hosts";

/** The package for programs in the language, in a folder within the one that is given. */
export function generatedPackage(language: "nodejs" | "python", folder: string): string {
  linesOf("packages.mjs", folder, language);
  return path.join(folder, language);
}
