/** Reads the imports of each file in `provider/` and `sdk/` with TypeScript's parser. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import * as ts from "typescript";

const ROOT = join(__dirname, "../..");

export interface Import {
  /** The imported file in the repository, or the name of the imported package. */
  readonly target: string;
  /** Whether the compiler removes the import. */
  readonly typeOnly: boolean;
  /** Whether the imported file is loaded only on demand, not together with the importing file. */
  readonly lazy: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly syntax: ts.SourceFile;
}

function pathsIn(directory: string): string[] {
  const entries = readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" });
  const files = entries.filter((entry) => entry.endsWith(".ts"));
  return files.map((entry) => posix.join(directory, ...entry.split(sep)));
}

const paths = new Set([...pathsIn("provider"), ...pathsIn("sdk")]);
export const files: ReadonlyMap<string, SourceFile> = new Map([...paths].map((path) => [path, fileOf(path)]));

function fileOf(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported !== undefined) imports.push({ ...imported, target: resolved(path, imported.target) });
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return { path, text, imports, syntax };
}

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { target: node.moduleSpecifier.text, typeOnly: importsTypesOnly(node.importClause), lazy: false };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    const named = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    const types = named.length > 0 && named.every((element) => element.isTypeOnly);
    return { target: node.moduleSpecifier.text, typeOnly: node.isTypeOnly || types, lazy: false };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { target: (node.argument.literal as ts.StringLiteral).text, typeOnly: true, lazy: false };
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [argument] = node.arguments;
  if (argument === undefined || !ts.isStringLiteral(argument)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
  return isImport || isRequire ? { target: argument.text, typeOnly: false, lazy: true } : undefined;
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

function resolved(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const target = posix.join(posix.dirname(from), specifier);
  const candidates = [`${target}.ts`, `${target}/index.ts`, target];
  return candidates.find((candidate) => paths.has(candidate)) ?? target;
}

/**
 * The files and packages that are loaded with a file, each with the chain of imports that leads to it. Type imports and
 * imports on demand do not count.
 */
export function loadedWith(start: string): ReadonlyMap<string, string> {
  const ways = new Map<string, string>([[start, start]]);
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const { target, typeOnly, lazy } of files.get(path)?.imports ?? []) {
      if (typeOnly || lazy || ways.has(target)) continue;
      ways.set(target, `${ways.get(path)} -> ${target}`);
      open.push(target);
    }
  }
  return ways;
}
