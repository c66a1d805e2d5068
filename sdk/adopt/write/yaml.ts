/** Writes the program in Pulumi's YAML, which uses the provider plugin. */
import {
  type Files,
  type Format,
  GITIGNORE,
  HEAD,
  ONLY_READ,
  PLUGINS,
  type Project,
  packageFile,
  projectFile,
  secretLines,
  setUp,
  yamlText,
} from "./files";
import {
  type DeploymentDeclaration,
  hasMembers,
  type ListenerDeclaration,
  Members,
  type Node,
  type Program,
  Reference,
} from "./program";

export const yaml: Format = {
  files,
  refusesKey,
  readsByDefaultOnly: true,
  steps: (project) => setUp(project, "npm install --omit=peer"),
};

function files(program: Program, project: Project): Files {
  return {
    "Pulumi.yaml": `# ${HEAD}\n${projectFile(project, "yaml", `${PLUGINS}${source(program)}`)}`,
    "package.json": packageFile(project, {}),
    ".gitignore": GITIGNORE,
  };
}

function source({ listeners, deployments }: Program): string {
  const declarations = [...listeners.map(listenerLines), ...deployments.map(deploymentLines)];
  return `resources:\n${declarations.map((lines) => lines.map((line) => `  ${line}\n`).join("")).join("\n")}`;
}

function listenerLines({ naming, id }: ListenerDeclaration): string[] {
  return [
    `# ${ONLY_READ}`,
    `${yamlText(naming.resource)}:`,
    "  type: deployment-control:Listener",
    "  get:",
    `    id: ${scalar(id)}`,
  ];
}

function deploymentLines(declaration: DeploymentDeclaration): string[] {
  const { naming, args } = declaration;
  const secrets = secretLines(declaration).map((line) => `# ${line}`);
  return [
    `${yamlText(naming.resource)}:`,
    "  type: deployment-control:Deployment",
    "  properties:",
    ...[...linesOf(args), ...secrets].map((line) => `    ${line}`),
  ];
}

/** The node's lines in YAML's block style. */
function linesOf(node: Node): string[] {
  if (Array.isArray(node) && node.length > 0)
    return node.flatMap((element) => {
      const [firstLine, ...laterLines] = linesOf(element);
      return [`- ${firstLine}`, ...laterLines.map((line) => `  ${line}`)];
    });
  if (Array.isArray(node)) return ["[]"];
  if (!(node instanceof Members))
    return [node instanceof Reference ? `\${${node.naming.resource}.id}` : scalar(node as string)];
  if (!hasMembers(node)) return ["{}"];
  return node.members.flatMap(([name, value]) => {
    const key = node.areFields ? name : yamlText(name);
    const lines = linesOf(value);
    return hasMembers(value) ? [`${key}:`, ...lines.map((line) => `  ${line}`)] : [`${key}: ${lines[0]}`];
  });
}

/** Why an entry of a YAML program cannot have the name; undefined if Pulumi reads the name as plain text. */
function refusesKey(name: string): string | undefined {
  return /^fn::/i.test(name) || TEMPLATE.test(name)
    ? "Pulumi's YAML has no way to write an entry of this name"
    : undefined;
}

/** `${` starts a template. Versions of Pulumi's YAML disagree about the meaning of `$$`. */
const TEMPLATE = /\$[${]/;

/** The value in YAML. Splits a text that has `${` into parts for Pulumi to join, so that no part starts a template. */
function scalar(value: string | number | boolean | null): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (!TEMPLATE.test(value)) return yamlText(value);
  const parts = value.split(/(?<=\$)(?=[${])/);
  return `{ "fn::join": ["", [${parts.map(yamlText).join(", ")}]] }`;
}
