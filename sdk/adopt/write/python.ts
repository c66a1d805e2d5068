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
  secretLines,
  setUp,
} from "./files";
import type { Naming } from "./names";
import { printed, type Syntax, sourceOf } from "./printed";
import type { DeploymentDeclaration, ListenerDeclaration, Program } from "./program";

const syntax: Syntax = {
  text: pythonText,
  word: (value) => (value === null ? "None" : value ? "True" : "False"),
  field: (name) => `${JSON.stringify(pythonName(name))}: `,
  entry: (name) => `${pythonText(name)}: `,
  reference: ({ naming }) => `${variable(naming, "listener")}.id`,
  braces: ["{", "}"],
  indent: "    ",
};

/** Pulumi's Python spelling of an argument: `k8sNamespaces` -> `k8s_namespaces`, `downwardAPI` -> `downward_api`. */
export const pythonName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z]+)/g, (_, letter: string, capitals: string) => `${letter}_${capitals}`)
    .toLowerCase();

/** The suffix `kind` ensures that the name is not a keyword. */
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
    "__main__.py": source(program),
  };
}

const source = (program: Program): string =>
  sourceOf(program, {
    comment: "#",
    imports: (classes) => `from pulumi_deployment_control import ${classes.join(", ")}`,
    listener: listenerText,
    deployment: deploymentText,
  });

function listenerText({ naming, id }: ListenerDeclaration): string {
  const call = `Listener.get(${pythonText(naming.resource)}, ${pythonText(id)})`;
  return `${variable(naming, "listener")} = ${call}`;
}

function deploymentText(declaration: DeploymentDeclaration): string {
  const { naming, args } = declaration;
  const { indent } = syntax;
  const members = args.members.map(([name, value]) => {
    const start = `${indent}${pythonName(name)}=`;
    return `${start}${printed(value, syntax, indent, start.length + 1)},\n`;
  });
  const secrets = secretLines(declaration).map((line) => `${indent}# ${line}\n`);
  const start = `${variable(naming, "deployment")} = Deployment(\n${indent}${pythonText(naming.resource)},\n`;
  return [start, ...members, ...secrets, ")"].join("");
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
