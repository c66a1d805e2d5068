/** What a format writes: files of a folder, by name. */
import { listedNames } from "./literals";
import type { Program } from "./program";
import type { RefusesKey } from "./unwritable";

export interface Files {
  readonly [name: string]: string;
}

/** What every format is told of the project beside its program. */
export interface Project {
  /** Legal as the name of a project and of a package. */
  readonly name: string;
  /** What the program's package file says of ours: a version, or where it lies. */
  readonly packageSpec: string;
  /** Versions of Pulumi's SDK with which ours works. */
  readonly pulumiVersion: string;
}

export interface Format {
  /** The files but for the README. */
  readonly files: (program: Program, project: Project) => Files;
  /** Why the language cannot write an entry of that name; undefined where it can. Unless given, it can write any. */
  readonly refusesKey?: RefusesKey;
  /** Whether it can read a listener over the default connection alone. */
  readonly readsByDefaultOnly?: true;
  /** How to go on, as Markdown. */
  readonly steps: (project: Project) => string;
}

/** The first line of what is written. */
export const HEAD =
  "Written by `deployment-control adopt`: what the service had, as it was then. README.md says what is left out.";

/** Where Pulumi finds the provider plugin that the package brings. */
export const PLUGINS = `plugins:
  providers:
    - name: deployment-control
      path: node_modules/.bin
`;

export const projectFile = ({ name }: Project, runtime: string, rest = ""): string =>
  `name: ${JSON.stringify(name)}\ndescription: Adopted deployments.\nruntime: ${runtime}\n${rest}`;

/** A package file, in which npm finds what the program needs. */
export function packageFile(
  { name, packageSpec }: Project,
  others: Readonly<Record<string, string>>,
  main?: string,
): string {
  const dependencies = { ...others, "pulumi-deployment-control": packageSpec };
  const contents = { name, private: true, ...(main === undefined ? {} : { main }), dependencies };
  return `${JSON.stringify(contents, null, 2)}\n`;
}

/** The commands that prepare the folder, and those that follow in every language. */
export const setUp = ({ name }: Project, ...commands: readonly string[]): string => {
  const common = [
    "pulumi stack init dev",
    "pulumi config set deployment-control:baseUrl https://…",
    "pulumi config set --secret deployment-control:apiKey",
    "pulumi preview --json --show-sames | npx deployment-control plan",
    "pulumi up",
  ];
  return `In this folder, which is the Pulumi project \`${name}\`:

\`\`\`sh
${[...commands, ...common].join("\n")}
\`\`\``;
};

/** Above a listener. */
export const ONLY_READ = "Only read: nothing here changes it.";

/** Within a deployment; nothing where the service names no secrets. */
export const secretLines = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Secrets that stay as they are on the service: ${listedNames(names)}.`];

export const GITIGNORE = "node_modules/\n";
