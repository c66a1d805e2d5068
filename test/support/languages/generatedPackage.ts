/**
 * The packages that Pulumi generates from the schema. Each test run generates the packages anew; no package is checked
 * in.
 */
import path from "node:path";
import { linesOf } from "./hosts";

/** Generates the language's package in a subfolder of `folder`, and returns the subfolder. */
export function generatedPackage(language: "nodejs" | "python" | "java", folder: string): string {
  linesOf("packages.mjs", folder, language);
  return path.join(folder, language);
}
