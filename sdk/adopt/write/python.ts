/** Writes the program in Python, which uses the package that Pulumi generates for the provider plugin. */
import {
  type Files,
  type Format,
  GITIGNORE,
  PLUGINS,
  type Project,
  packageFile,
  projectFile,
  pythonText,
  setUp,
} from "./files";
import type { Naming } from "./names";
import { type Language, sourceOf } from "./printed";
import type { Program } from "./program";

const INDENT = "    ";

const language: Language = {
  text: pythonText,
  word: (value) => (value === null ? "None" : value ? "True" : "False"),
  argument: (name) => `${pythonName(name)}=`,
  field: (name) => `${JSON.stringify(pythonName(name))}: `,
  entry: (name) => `${pythonText(name)}: `,
  reference: ({ naming }) => `${variable(naming, "listener")}.id`,
  braces: ["{", "}"],
  indent: INDENT,
  comment: "#",
  imports: (classes) => `from pulumi_deployment_control import ${classes.join(", ")}`,
  listener: ({ naming, id }) =>
    `${variable(naming, "listener")} = Listener.get(${pythonText(naming.resource)}, ${pythonText(id)})`,
  deployment: (naming) => [
    `${variable(naming, "deployment")} = Deployment(\n${INDENT}${pythonText(naming.resource)},\n`,
    ")",
  ],
};

/** Pulumi's Python spelling of an argument: `k8sNamespaces` -> `k8s_namespaces`, `downwardAPI` -> `downward_api`. */
export const pythonName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z]+)/g, (_, letter: string, capitals: string) => `${letter}_${capitals}`)
    .toLowerCase();

/** A variable's name. The suffix `kind` ensures that the name is not a keyword. */
function variable({ words }: Naming, kind: string): string {
  const name = [...words, kind].join("_").toLowerCase();
  return /^\d/.test(name) ? `_${name}` : name;
}

export const python: Format = { files, readsByDefaultOnly: true, steps };

function files(program: Program, project: Project): Files {
  return {
    "Pulumi.yaml": projectFile(project, "python", PLUGINS),
    "package.json": packageFile(project, {}),
    "requirements.txt": `pulumi==${project.pulumiVersion}\n`,
    ".gitignore": `${GITIGNORE}sdk/\nvenv/\n__pycache__/\n`,
    "__main__.py": sourceOf(program, language),
  };
}

function steps(project: Project): string {
  const plugin = "./node_modules/.bin/pulumi-resource-deployment-control";
  return setUp(
    project,
    "npm install --omit=peer",
    `pulumi package gen-sdk ${plugin} --language python --out sdk`,
    "python3 -m venv venv && . venv/bin/activate",
    "pip install -r requirements.txt ./sdk/python",
  );
}
