/** Writes a project into a folder, and overwrites nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PACKAGE, pluginTypeToken } from "../../../provider/schema/naming";
import { isProperties, jsonIn, propertiesIn } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import type { Files, Format, Project } from "./files";
import type { Program } from "./program";
import { type Origin, readme } from "./readme";
import { typescript } from "./typescript";

export const FORMATS: { readonly [F in "typescript" | "import-file"]: Format } = {
  typescript,
  "import-file": { declares: false, files: importFiles, steps: importSteps },
};

/**
 * Writes the files and returns their names, in order. Throws an Error and writes nothing if any of the files exists.
 */
export function writeProject(folder: string, format: Format, program: Program, origin: Origin): string[] {
  const project = projectIn(folder);
  const files = { ...format.files(program, project), "README.md": readme(program, format, project, origin) };
  const conflicts = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
  if (conflicts.length > 0) {
    const problem = `${escapeControls(folder)} has ${conflicts.join(", ")} already, and nothing is overwritten`;
    throw new Error(`--out: ${problem}. Name another folder`);
  }
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), text, { flag: "wx" });
  return Object.keys(files);
}

const UNNAMED = "adopted";

function projectIn(folder: string): Project {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const { version, peerDependencies } = manifestAt(ownRoot());
  const pulumi = isProperties(peerDependencies) ? String(peerDependencies["@pulumi/pulumi"]) : "";
  return {
    name: name.replace(/^-+|-+$/g, "").slice(0, 60) || UNNAMED,
    packageSpec: packageSpec(folder, String(version)),
    // Takes the oldest version that the peer dependency allows. The tests use the same version.
    pulumiVersion: /\d+\.\d+\.\d+/.exec(pulumi)?.[0] ?? "latest",
  };
}

const ownRoot = (): string => path.dirname(require.resolve(`${PACKAGE}/package.json`));

/** The program's dependency on this package: a relative path to a checkout or packed archive, or a version. */
function packageSpec(folder: string, version: string): string {
  const [, user] = /^(.*)[\\/]node_modules[\\/][^\\/]+$/.exec(ownRoot()) ?? [];
  const fileFrom = (base: string, place: string) =>
    `file:${path.relative(path.resolve(folder), path.resolve(base, place)).split(path.sep).join("/")}`;
  if (user === undefined) return fileFrom(ownRoot(), ".");
  const { dependencies, devDependencies } = manifestAt(user);
  const [spec] = [dependencies, devDependencies].flatMap((each) =>
    isProperties(each) ? (each[PACKAGE] ?? []) : [],
  );
  return typeof spec === "string" && spec.startsWith("file:")
    ? fileFrom(user, spec.slice("file:".length))
    : version;
}

function manifestAt(folder: string): { readonly [name: string]: unknown } {
  const file = path.join(folder, "package.json");
  const contents = existsSync(file) ? jsonIn(readFileSync(file, "utf8")) : undefined;
  return propertiesIn(contents);
}

/** The file for `pulumi import --file`. The import uses the provider plugin. */
function importFiles({ listeners, deployments }: Program): Files {
  const resources = [
    ...listeners.map(({ naming, id }) => ({ type: pluginTypeToken("Listener"), name: naming.resource, id })),
    ...deployments.map(({ naming, id }) => ({
      type: pluginTypeToken("Deployment"),
      name: naming.resource,
      id,
    })),
  ];
  return { "import.json": `${JSON.stringify({ resources }, null, 2)}\n` };
}

function importSteps(): string {
  return `In the folder of a Pulumi project that has the provider plugin, with a stack and its settings:

\`\`\`sh
pulumi import --file PATH_OF_THIS_FOLDER/import.json --out imported.txt
\`\`\`

It prints the program's text for you to copy. Pulumi protects what it imports: remove \`protect\` from what you mean to
replace. Destroying an imported deployment does what \`onDestroy\` says; set \`onDestroy: "retain"\` to those that must stay.`;
}
