/** Writes the program in TypeScript, which uses the package's dynamic resources. */
import {
  type Files,
  type Format,
  GITIGNORE,
  javaScriptText,
  type Project,
  packageFile,
  projectFile,
  setUp,
} from "./files";
import type { Naming } from "./names";
import { type Language, sourceOf } from "./printed";
import type { Program } from "./program";

const field = (name: string): string => `${name}: `;

const language: Language = {
  text: javaScriptText,
  word: String,
  argument: field,
  field,
  entry: (name) => field(/^[A-Za-z_]\w*$/.test(name) ? name : javaScriptText(name)),
  reference: ({ naming }) => `${variable(naming, "Listener")}.id`,
  braces: ["{ ", " }"],
  indent: "  ",
  comment: "//",
  imports: (classes) => `import { ${classes.join(", ")} } from "pulumi-deployment-control";`,
  listener: ({ naming, id }, connection) => {
    const options = connection === undefined ? "" : `, { connection: ${javaScriptText(connection)} }`;
    const call = `Listener.get(${javaScriptText(naming.resource)}, ${javaScriptText(id)}${options})`;
    return `const ${variable(naming, "Listener")} = ${call};`;
  },
  deployment: (naming) => [
    `const ${variable(naming, "Deployment")} = new Deployment(${javaScriptText(naming.resource)}, {\n`,
    "});",
  ],
};

/** A variable's name. The suffix `kind` ensures that the name is not a keyword. */
function variable({ words }: Naming, kind: string): string {
  const [first = "", ...laterWords] = words;
  const start = first.charAt(0).toLowerCase() + first.slice(1);
  const capitalized = laterWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${/^\d/.test(first) ? "_" : ""}${[start, ...capitalized].join("")}${kind}`;
}

export const typescript: Format = { files, steps: (project) => setUp(project, "npm install") };

function files(program: Program, project: Project): Files {
  return {
    "Pulumi.yaml": projectFile(project, "nodejs"),
    "package.json": packageFile(
      project,
      { "@pulumi/pulumi": project.pulumiVersion, typescript: "^5.9.0" },
      "index.ts",
    ),
    "tsconfig.json": `${JSON.stringify(TSCONFIG, null, 2)}\n`,
    ".gitignore": GITIGNORE,
    "index.ts": sourceOf(program, language),
  };
}

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
