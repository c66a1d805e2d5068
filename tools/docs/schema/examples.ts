/**
 * The examples in the schema's descriptions, one for each resource and function, written in YAML. `npm run examples`
 * makes Pulumi translate the examples into other languages.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const FOLDER = join(__dirname, "examples");
export const TRANSLATED = join(FOLDER, "translated.json");
/** The languages, in the order of Pulumi's Registry. */
export const LANGUAGES = ["typescript", "python", "go", "csharp", "java"] as const;

type Programs = { readonly [language in (typeof LANGUAGES)[number]]: string };

const translated: { readonly [name: string]: Programs } = JSON.parse(readFileSync(TRANSLATED, "utf8"));

/**
 * Adds the example in all languages, in the form that Pulumi's generators split by language. Throws if the example is
 * not translated.
 */
export function withExample(name: string, description: string): string {
  const yaml = readFileSync(join(FOLDER, `${name}.yaml`), "utf8");
  const programs = translated[name];
  if (programs === undefined) throw new Error(`the example ${name}.yaml is not translated: npm run examples`);
  const blocks = LANGUAGES.map((language) => block(language, programs[language]));
  const example = ["{{% example %}}", ...blocks, block("yaml", yaml), "{{% /example %}}"];
  return [description, "{{% examples %}}", "## Example Usage", ...example, "{{% /examples %}}"].join("\n\n");
}

const block = (language: string, program: string): string => `\`\`\`${language}\n${program.trim()}\n\`\`\``;
