/** Prints values as expressions of a language with braces and brackets. */
import { HEAD, ONLY_READ } from "./files";
import {
  type DeploymentDeclaration,
  Entries,
  Fields,
  type ListenerDeclaration,
  type Node,
  type Program,
  Reference,
} from "./program";

export interface Syntax {
  readonly text: (text: string) => string;
  /** Prints `true`, `false` or null. */
  readonly word: (value: boolean | null) => string;
  /** Prints an argument's name and the separator before its value. */
  readonly field: (name: string) => string;
  /** Prints a map key and the separator before its value. */
  readonly entry: (name: string) => string;
  readonly reference: (reference: Reference) => string;
  /** The text around members on one line, such as `{ ` and ` }`. */
  readonly braces: readonly [open: string, close: string];
  readonly indent: string;
}

const WIDTH = 100;

/** Prints the node on one line if it fits after `column`; otherwise one member per line, deeper than `indent`. */
export function printed(node: Node, syntax: Syntax, indent: string, column: number): string {
  const line = onOneLine(node, syntax);
  if (column + line.length <= WIDTH || !hasMembers(node)) return line;
  const deeper = indent + syntax.indent;
  const lines = membersOf(node, syntax).map(
    ([name, value]) =>
      `${deeper}${name}${printed(value, syntax, deeper, deeper.length + name.length + 1)},\n`,
  );
  const [open, close] = isList(node) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function onOneLine(node: Node, syntax: Syntax): string {
  if (node instanceof Reference) return syntax.reference(node);
  if (typeof node === "string") return syntax.text(node);
  if (typeof node === "boolean" || node === null) return syntax.word(node);
  if (typeof node === "number") return JSON.stringify(node);
  const members = membersOf(node, syntax).map(([name, value]) => name + onOneLine(value, syntax));
  const [open, close] = isList(node) ? ["[", "]"] : syntax.braces;
  return members.length === 0 ? open.trim() + close.trim() : open + members.join(", ") + close;
}

const isList = (node: Node): node is readonly Node[] => Array.isArray(node);

const hasMembers = (node: Node): boolean =>
  isList(node)
    ? node.length > 0
    : node instanceof Fields || node instanceof Entries
      ? node.members.length > 0
      : false;

function membersOf(node: Node, syntax: Syntax): (readonly [name: string, value: Node])[] {
  if (isList(node)) return node.map((element) => ["", element]);
  if (node instanceof Fields) return node.members.map(([name, value]) => [syntax.field(name), value]);
  if (node instanceof Entries) return node.members.map(([name, value]) => [syntax.entry(name), value]);
  return [];
}

interface Language {
  /** The start of a comment. */
  readonly comment: string;
  readonly imports: (classes: readonly string[]) => string;
  readonly listener: (listener: ListenerDeclaration, connection: string | undefined) => string;
  readonly deployment: (deployment: DeploymentDeclaration) => string;
}

/** The source file of the program. */
export function sourceOf({ listeners, deployments, connection }: Program, language: Language): string {
  const { comment, imports, listener, deployment } = language;
  const classes = ["Deployment", ...(listeners.length === 0 ? [] : ["Listener"])];
  const parts = [
    `${comment} ${HEAD}\n${imports(classes)}`,
    ...listeners.map((each) => `${comment} ${ONLY_READ}\n${listener(each, connection)}`),
    ...deployments.map(deployment),
  ];
  return `${parts.join("\n\n")}\n`;
}
