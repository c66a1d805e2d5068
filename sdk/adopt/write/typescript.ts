/** Writes a TypeScript program that uses the package's dynamic resources. */
import { type Files, type Format, type Project, quoted } from "./files";
import type { Naming } from "./names";
import {
  type DeploymentDeclaration,
  hasMembers,
  type ListenerDeclaration,
  Members,
  type Node,
  type Program,
  Reference,
} from "./program";

export const typescript: Format = { declares: true, files, steps };

function files(program: Program, { name, packageSpec, pulumiVersion }: Project): Files {
  const dependencies = {
    "@pulumi/pulumi": pulumiVersion,
    typescript: "^5.9.0",
    "pulumi-deployment-control": packageSpec,
  };
  return {
    "Pulumi.yaml": `name: ${JSON.stringify(name)}\ndescription: Adopted deployments.\nruntime: nodejs\n`,
    "package.json": jsonText({ name, private: true, main: "index.ts", dependencies }),
    "tsconfig.json": jsonText(TSCONFIG),
    ".gitignore": "node_modules/\n",
    "index.ts": sourceOf(program),
  };
}

const jsonText = (contents: object): string => `${JSON.stringify(contents, null, 2)}\n`;

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "Node16",
    moduleResolution: "Node16",
    strict: true,
    skipLibCheck: true,
  },
  "ts-node": { transpileOnly: true },
  files: ["index.ts"],
};

function steps({ name }: Project): string {
  return `In this folder, which is the Pulumi project \`${name}\`:

\`\`\`sh
npm install
pulumi stack init dev
pulumi config set deployment-control:baseUrl https://…
pulumi config set --secret deployment-control:apiKey
pulumi preview --json --show-sames | npx --no-install deployment-control plan
pulumi up
\`\`\``;
}

const HEAD =
  "// Written by `deployment-control adopt` from the service's settings at the time. README.md lists what is left out.";
const ONLY_READ = "// This program only reads it, and never changes it.";
const INDENT = "  ";
const WIDTH = 100;

function sourceOf({ listeners, deployments, connection }: Program): string {
  const classes = ["Deployment", ...(listeners.length === 0 ? [] : ["Listener"])];
  const parts = [
    `${HEAD}\nimport { ${classes.join(", ")} } from "pulumi-deployment-control";`,
    ...listeners.map((listener) => listenerText(listener, connection)),
    ...deployments.map(deploymentText),
  ];
  return `${parts.join("\n\n")}\n`;
}

function listenerText({ naming, id }: ListenerDeclaration, connection: string | undefined): string {
  const options = connection === undefined ? "" : `, { connection: ${quoted(connection)} }`;
  const call = `Listener.get(${quoted(naming.resource)}, ${quoted(id)}${options})`;
  return `${ONLY_READ}\nconst ${variable(naming, "Listener")} = ${call};`;
}

function deploymentText(declaration: DeploymentDeclaration): string {
  const { naming, args } = declaration;
  const open = `const ${variable(naming, "Deployment")} = new Deployment(${quoted(naming.resource)}, {\n`;
  return [
    open,
    ...membersOf(args).map((member) => memberLine(member, INDENT)),
    secretsLine(declaration),
    "});",
  ].join("");
}

function secretsLine({ args, secretNames }: DeploymentDeclaration): string {
  if (secretNames.length === 0) return "";
  const words = args.members.some(([name]) => name === "environment")
    ? "The first change of environment removes these secrets, unless secrets declares them by then"
    : "Secrets that stay as they are on the service";
  return `${INDENT}// ${words}: ${secretNames.map(quoted).join(", ")}.\n`;
}

/** The suffix `kind` ensures that the variable's name is not a keyword. */
function variable({ words }: Naming, kind: string): string {
  const [first = "", ...laterWords] = words;
  const start = first.charAt(0).toLowerCase() + first.slice(1);
  const capitalized = laterWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${/^\d/.test(first) ? "_" : ""}${[start, ...capitalized].join("")}${kind}`;
}

/** A named value. `name` includes the separator `: ` at its end. For a list's element, `name` is empty. */
type Member = readonly [name: string, value: Node];

function memberLine([name, value]: Member, indent: string): string {
  return `${indent}${name}${printed(value, indent, indent.length + name.length + 1)},\n`;
}

/** Prints the node on one line if it fits after `column`. Otherwise prints one member per line. */
function printed(node: Node, indent: string, column: number): string {
  const line = onOneLine(node);
  if (column + line.length <= WIDTH || !hasMembers(node)) return line;
  const lines = membersOf(node).map((member) => memberLine(member, indent + INDENT));
  const [open, close] = Array.isArray(node) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function onOneLine(node: Node): string {
  if (node instanceof Reference) return `${variable(node.naming, "Listener")}.id`;
  if (typeof node === "string") return quoted(node);
  if (typeof node !== "object" || node === null) return String(node);
  const members = membersOf(node).map(([name, value]) => name + onOneLine(value));
  if (node instanceof Members) return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  return `[${members.join(", ")}]`;
}

function membersOf(node: Members | readonly Node[]): Member[] {
  if (!(node instanceof Members)) return node.map((element) => ["", element]);
  return node.members.map(([name, value]) => [
    `${node.areFields || /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: `,
    value,
  ]);
}
