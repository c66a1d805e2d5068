/** The declarations of modules, from their source: names, signatures and the prose above them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { joinedLines } from "../schema/prose";

const ROOT = join(__dirname, "../../..");

/** A member of a class or an interface, or a whole class. */
export interface Declared {
  readonly name: string;
  /** The declaration on one line, without its body. */
  readonly signature: string;
  readonly prose: string;
}

const sources = new Map<string, ts.SourceFile>();

function sourceOf(file: string): ts.SourceFile {
  const cached = sources.get(file);
  if (cached !== undefined) return cached;
  const text = readFileSync(join(ROOT, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  sources.set(file, source);
  return source;
}

type Named =
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement
  | ts.FunctionDeclaration;

const isNamed = (node: ts.Node): node is Named =>
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isVariableStatement(node) ||
  ts.isFunctionDeclaration(node);

const statements = (file: string): readonly Named[] => sourceOf(file).statements.filter(isNamed);

const nameOf = (node: Named): string =>
  ts.isVariableStatement(node)
    ? (node.declarationList.declarations[0]?.name.getText() as string)
    : (node.name?.text as string);

function statement(file: string, name: string): Named {
  const declaration = statements(file).find((each) => nameOf(each) === name);
  if (declaration === undefined) throw new Error(`${file} has no ${name}`);
  return declaration;
}

/** The prose of the last comment above a node, with each paragraph on one line. */
function proseAbove(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const comment = docs.at(-1)?.comment;
  const text = (typeof comment === "string" ? comment : ts.getTextOfJSDocComment(comment)) ?? "";
  return joinedLines(text);
}

export const proseOf = (file: string, name: string): string => proseAbove(statement(file, name));

export const classesIn = (file: string): Declared[] =>
  statements(file)
    .filter(ts.isClassDeclaration)
    .map((each) => ({ name: nameOf(each), signature: "", prose: proseAbove(each) }));

/** The public methods of a class, or the members of an interface or a type. */
export function membersOf(file: string, name: string): Declared[] {
  return membersWithin(statement(file, name))
    .filter(isShown)
    .map((member) => ({
      name: member.name?.getText() ?? "",
      signature: signatureOf(member),
      prose: proseAbove(member),
    }));
}

/** The members between the braces of a class, an interface or a composed type. */
function membersWithin(node: ts.Node): readonly (ts.ClassElement | ts.TypeElement)[] {
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    return [...node.members];
  if (ts.isTypeAliasDeclaration(node)) return membersWithin(node.type);
  return ts.isIntersectionTypeNode(node) ? node.types.flatMap(membersWithin) : [];
}

function isShown(member: ts.ClassElement | ts.TypeElement): boolean {
  const isHidden = member.name === undefined || ts.isPrivateIdentifier(member.name);
  const flags = ts.getCombinedModifierFlags(member as unknown as ts.Declaration);
  return !isHidden && (flags & ts.ModifierFlags.Private) === 0 && !ts.isConstructorDeclaration(member);
}

function signatureOf(member: ts.ClassElement | ts.TypeElement): string {
  const body = ts.isMethodDeclaration(member) ? member.body : undefined;
  const text = member.getSourceFile().text.slice(member.getStart(), body?.getStart() ?? member.getEnd());
  return text
    .replace(/^(async|readonly) /, "")
    .replace(/\s+/g, " ")
    .replace(/,(?= ?[)}])/g, "")
    .replace(/\( /g, "(")
    .replace(/ \)/g, ")")
    .replace(/;$/, "")
    .trim();
}

/** The first statement that has one of these calls, plus the comment above it and the imports that it needs. */
export function exampleUsing(file: string, ...calls: readonly string[]): string {
  const source = sourceOf(file);
  const statement = source.statements.find((each) => calls.some((call) => each.getText().includes(call)));
  if (statement === undefined) throw new Error(`${file} has no ${calls.join(" or ")}`);
  const text = source.text.slice(statement.getFullStart(), statement.getEnd()).trim();
  const imports = source.statements.filter(ts.isImportDeclaration);
  return [...imports.flatMap((each) => importFor(text, each)), "", text].join("\n");
}

/** Reduces the import to the names that the code uses; empty if the code uses none of them. */
function importFor(text: string, { importClause, moduleSpecifier }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return [];
  const isUsed = (name: ts.Identifier) => new RegExp(`\\b${name.text}\\b`).test(text);
  if (ts.isNamespaceImport(bindings))
    return isUsed(bindings.name)
      ? [`import * as ${bindings.name.text} from ${moduleSpecifier.getText()};`]
      : [];
  const names = bindings.elements.filter(({ name }) => isUsed(name)).map((each) => each.getText());
  return names.length === 0 ? [] : [`import { ${names.join(", ")} } from ${moduleSpecifier.getText()};`];
}

/** The properties of an object literal that a module declares as a constant, exported or not. */
export function propertiesOf(file: string, name: string): Declared[] {
  const declarations = sourceOf(file)
    .statements.filter(ts.isVariableStatement)
    .flatMap((each) => [...each.declarationList.declarations]);
  const value = declarations.find((each) => each.name.getText() === name)?.initializer;
  const isCast = value !== undefined && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value));
  const object = isCast ? value.expression : value;
  if (object === undefined || !ts.isObjectLiteralExpression(object))
    throw new Error(`${file} has no object ${name}`);
  return object.properties.map((property) => ({
    name: property.name?.getText() ?? "",
    signature: property.getText(),
    prose: proseAbove(property),
  }));
}
