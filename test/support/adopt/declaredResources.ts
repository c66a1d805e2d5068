/** Runs a program that `adopt` wrote, and returns the resources that it declares. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import * as ts from "typescript";
import type { Properties } from "../../../provider/schema/value";
import { workFolder } from "./command";

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
  // The program gets `required` in place of `require`, so the program can import only this package.
  vm.runInNewContext(outputText, { require: required, exports: {} });
  return declared;
}

/** The compiler's errors in the programs. The compiler is as strict as in a user's project. */
export function complaintsOf(sources: readonly string[]): string[] {
  // The folder is below the project, so that a program finds the package and Pulumi's SDK.
  const folder = workFolder();
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
}
