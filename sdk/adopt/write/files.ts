/**
 * The files that a format writes, and the literals in them. A text from the service is always a quoted literal, with
 * its invisible characters escaped.
 */
import { COMMAND } from "../../../provider/fields/naming";
import { unicodeEscapes } from "../../../provider/fields/words";
import type { DeploymentDeclaration, Limits, Program } from "./program";

export interface Files {
  readonly [name: string]: string;
}

/** A project's names and versions, which every format needs. */
export interface Project {
  /** The project's name, which is legal for a Pulumi project and for an npm package. */
  readonly name: string;
  /** The entry for this package in the program's package file: a version or a location. */
  readonly packageSpec: string;
  /** A version of Pulumi's SDK that works with this package. */
  readonly pulumiVersion: string;
}

export interface Format extends Limits {
  /** Writes all files of the project except the README. */
  readonly files: (program: Program, project: Project) => Files;
  /** The README's next steps, in Markdown. */
  readonly steps: (project: Project) => string;
}

/** The first line of the program. */
export const HEAD =
  "Written by `deployment-control adopt` from the service's settings at the time. README.md lists what is left out.";

/** The folder in which Pulumi finds the provider plugin that this package contains. */
export const PLUGINS = `plugins:
  providers:
    - name: deployment-control
      path: node_modules/.bin
`;

export const projectFile = ({ name }: Project, runtime: string, furtherLines = ""): string =>
  `name: ${JSON.stringify(name)}\ndescription: Adopted deployments.\nruntime: ${runtime}\n${furtherLines}`;

/** The package.json that lists the program's dependencies. */
export function packageFile(
  { name, packageSpec }: Project,
  otherDependencies: Readonly<Record<string, string>>,
  main?: string,
): string {
  const dependencies = { ...otherDependencies, "pulumi-deployment-control": packageSpec };
  const contents = { name, private: true, ...(main === undefined ? {} : { main }), dependencies };
  return `${JSON.stringify(contents, null, 2)}\n`;
}

/** The steps that set the project up: first the commands of the language, then those that every language needs. */
export const setUp = ({ name }: Project, ...commands: readonly string[]): string => {
  const common = [
    "pulumi stack init dev",
    "pulumi config set deployment-control:baseUrl https://…",
    "pulumi config set --secret deployment-control:apiKey",
    `pulumi preview --json --show-sames | ${COMMAND} plan`,
    "pulumi up",
  ];
  return `In this folder, which is the Pulumi project \`${name}\`:

\`\`\`sh
${[...commands, ...common].join("\n")}
\`\`\``;
};

/** The comment above each listener in the program. */
export const ONLY_READ = "This program only reads it, and never changes it.";

/** The lines of the comment about secrets in a deployment; an empty list if the deployment has none. */
export function secretLines({ args, secretNames }: DeploymentDeclaration): string[] {
  const names = quotedNames(secretNames);
  if (secretNames.length === 0) return [];
  return args.members.some(([name]) => name === "environment")
    ? [
        `The first change of environment removes these secrets, unless secrets declares them by then: ${names}.`,
      ]
    : [`Secrets that stay as they are on the service: ${names}.`];
}

export const GITIGNORE = "node_modules/\n";

/** Characters that end a line or a comment, change the text direction, or are invisible. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A language's escape sequence for a character. */
type Escape = (codePoint: number) => string;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** JSON and JavaScript use two escapes for a character above U+FFFF. */
const perCodeUnit: Escape = (codePoint) => unicodeEscapes(String.fromCodePoint(codePoint));

/** Python and YAML use one escape for each character, with eight digits for a character above U+FFFF. */
const perCodePoint: Escape = (codePoint) =>
  codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;

/** The text in double quotes, with JSON's escapes, which mean the same in all of these languages. */
const quoteWith = (escapeOf: Escape) => (text: string) =>
  JSON.stringify(text).replace(UNSEEN, (character) => escapeOf(character.codePointAt(0) as number));

export const javaScriptText = quoteWith(perCodeUnit);
export const pythonText = quoteWith(perCodePoint);
export const yamlText = quoteWith(perCodePoint);

/** Quoted names on one line, for a comment in any of the languages. */
export const quotedNames = (names: readonly string[]): string => names.map(javaScriptText).join(", ");
