/**
 * The resources that a written program declares: runs a program in TypeScript or Python, and reads YAML as Pulumi does.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import * as yaml from "js-yaml";
import * as ts from "typescript";
import { isProperties, type Properties } from "../../../provider/fields/value";

/** The arguments of each deployment and the id of each listener, by the resource's name. */
interface Declared {
  readonly deployments: Readonly<Record<string, Properties>>;
  readonly listeners: Readonly<Record<string, string>>;
}

export function typescriptDeclares(source: string): Declared {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const declared = { deployments: {} as Record<string, Properties>, listeners: {} as Record<string, string> };
  class Deployment {
    constructor(name: string, args: Properties) {
      if (Object.hasOwn(declared.deployments, name)) throw new Error(`${name} is declared twice`);
      declared.deployments[name] = JSON.parse(JSON.stringify(args));
    }
  }
  const Listener = {
    get(name: string, id: string) {
      declared.listeners[name] = id;
      return { id };
    },
  };
  const required = (name: string) => {
    if (name !== "pulumi-deployment-control") throw new Error(`${name} is loaded`);
    return { Deployment, Listener };
  };
  // `required` is the only `require` of the program, so the program can import nothing else.
  vm.runInNewContext(outputText, { require: required, exports: {} });
  return declared;
}

/** The compiler's errors in programs, each checked as strictly as in its own project. */
export function complaintsOf(sources: readonly string[]): string[] {
  const cache = path.join(__dirname, "..", "..", "..", ".cache");
  mkdirSync(cache, { recursive: true });
  // The folder is below the project, so that a program finds the package and Pulumi's SDK.
  const folder = mkdtempSync(path.join(cache, "adopted-"));
  try {
    const files = sources.map((source, index) => {
      const file = path.join(folder, `program${index}.ts`);
      writeFileSync(file, source);
      return file;
    });
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a program by the rules of Pulumi's YAML, in which a dollar sign can begin a template within a text. */
export function yamlDeclares(source: string): Declared {
  const { resources } = yaml.load(source) as {
    resources: Record<string, { type: string; properties?: Properties; get?: { id: string } }>;
  };
  const of = (type: string) =>
    Object.entries(resources).filter((entry) => entry[1].type === `deployment-control:${type}`);
  const listeners = Object.fromEntries(of("Listener").map(([name, { get }]) => [name, get?.id as string]));
  const value = (node: unknown): unknown => {
    if (typeof node === "string") return textOf(node, listeners);
    if (Array.isArray(node)) return node.map(value);
    if (!isProperties(node)) return node;
    const [[first, argument] = []] = Object.entries(node);
    if (first === "fn::join") {
      const [separator, parts] = argument as [string, string[]];
      return parts.map((part) => textOf(part, listeners)).join(separator);
    }
    return Object.fromEntries(
      Object.entries(node).map(([name, member]) => {
        if (/^fn::/i.test(name) || name.includes("${") || name.includes("$$"))
          throw new Error(`the name ${name}`);
        return [name, value(member)];
      }),
    );
  };
  const deployments = of("Deployment").map(([name, { properties }]) => [name, value(properties)]);
  return { deployments: Object.fromEntries(deployments), listeners };
}

function textOf(text: string, listeners: Readonly<Record<string, string>>): string {
  const [, name] = /^\$\{([\w-]+)\.id\}$/.exec(text) ?? [];
  if (name !== undefined && Object.hasOwn(listeners, name)) return listeners[name] as string;
  if (/\$[${]/.test(text)) throw new Error(`a template: ${text}`);
  return text;
}

/** Runs every program in one Python process with a stand-in for this package; undefined if there is no Python. */
export function pythonDeclares(sources: readonly string[]): Declared[] | undefined {
  const folder = mkdtempSync(path.join(os.tmpdir(), "deployment-control-adopted-"));
  try {
    sources.forEach((source, index) => {
      writeFileSync(path.join(folder, `program${index}.py`), source);
    });
    writeFileSync(path.join(folder, "pulumi_deployment_control.py"), STAND_IN);
    writeFileSync(path.join(folder, "run.py"), RUN);
    const ran = spawnSync("python3", ["run.py", String(sources.length)], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    if (ran.error !== undefined) return undefined;
    if (ran.status !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const STAND_IN = `
declared = {"deployments": {}, "listeners": {}}

class Deployment:
    def __init__(self, resource_name, **arguments):
        assert resource_name not in declared["deployments"]
        declared["deployments"][resource_name] = arguments

class Listener:
    @staticmethod
    def get(resource_name, id):
        declared["listeners"][resource_name] = id
        found = Listener()
        found.id = id
        return found
`;

const RUN = `
import json, runpy, sys
import pulumi_deployment_control as stand_in

found = []
for index in range(int(sys.argv[1])):
    stand_in.declared = {"deployments": {}, "listeners": {}}
    runpy.run_path(f"program{index}.py")
    found.append(stand_in.declared)
json.dump(found, sys.stdout)
`;
