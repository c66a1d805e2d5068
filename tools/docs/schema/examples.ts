/**
 * The examples in the schema's descriptions, one for each resource and function: written in YAML, beside Pulumi's own
 * translation of each into other languages, which `npm run examples` makes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const FOLDER = join(__dirname, "examples");
export const TRANSLATED = join(FOLDER, "translated.json");
/** In the order of the Registry. */
export const LANGUAGES = ["typescript", "python", "go", "csharp", "java"] as const;

type Programs = { readonly [language in (typeof LANGUAGES)[number]]: string };

const translated: { readonly [name: string]: Programs } = JSON.parse(readFileSync(TRANSLATED, "utf8"));

/** The description with its example, in the form that Pulumi's generators take apart by language. Throws if there is none. */
export function withExample(name: string, description: string): string {
  const yaml = readFileSync(join(FOLDER, `${name}.yaml`), "utf8");
  const programs = translated[name];
  if (programs === undefined) throw new Error(`the example ${name}.yaml is not translated: npm run examples`);
  const blocks = LANGUAGES.map((language) => block(language, programs[language]));
  const example = ["{{% example %}}", ...blocks, block("yaml", yaml), "{{% /example %}}"];
  return [description, "{{% examples %}}", "## Example Usage", ...example, "{{% /examples %}}"].join("\n\n");
}

const block = (language: string, program: string): string => `\`\`\`${language}\n${program.trim()}\n\`\`\``;
