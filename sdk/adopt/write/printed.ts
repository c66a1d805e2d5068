/** Prints a program in a language with braces and brackets. */
import { HEAD, ONLY_READ, secretLines } from "./files";
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

export interface Language {
  readonly text: (text: string) => string;
  /** Prints `true`, `false` or null. */
  readonly word: (value: boolean | null) => string;
  /** Prints the name of a deployment's argument and the separator before its value. */
  readonly argument: (name: string) => string;
  /** Prints the name of a field within an argument, and the separator. */
  readonly field: (name: string) => string;
  /** Prints the key of a map's entry, and the separator. */
  readonly entry: (name: string) => string;
  readonly reference: (reference: Reference) => string;
  /** The text before and after members on one line, such as `{ ` and ` }`. */
  readonly braces: readonly [open: string, close: string];
  readonly indent: string;
  /** The text that begins a comment. */
  readonly comment: string;
  readonly imports: (classes: readonly string[]) => string;
  readonly listener: (listener: ListenerDeclaration, connection: string | undefined) => string;
  /** The text before and after the arguments of a deployment. */
  readonly deployment: (naming: Naming) => readonly [open: string, close: string];
}

const WIDTH = 100;

/**
 * Prints the node on one line if it fits after `column`, otherwise one member per line, one step deeper than `indent`.
 */
function printed(node: Node, language: Language, indent: string, column: number): string {
  const line = onOneLine(node, language);
  if (column + line.length <= WIDTH || !hasMembers(node)) return line;
  const deeper = indent + language.indent;
  const lines = membersOf(node, language).map((member) => memberLine(member, language, deeper));
  const [open, close] = Array.isArray(node) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join("")}${indent}${close}`;
}

/** `name` includes the separator. */
function memberLine([name, value]: readonly [string, Node], language: Language, indent: string): string {
  return `${indent}${name}${printed(value, language, indent, indent.length + name.length + 1)},\n`;
}

function onOneLine(node: Node, language: Language): string {
  if (node instanceof Reference) return language.reference(node);
  if (typeof node === "string") return language.text(node);
  if (typeof node === "boolean" || node === null) return language.word(node);
  if (typeof node === "number") return JSON.stringify(node);
  const members = membersOf(node, language).map(([name, value]) => name + onOneLine(value, language));
  const [open, close] = node instanceof Members ? language.braces : ["[", "]"];
  return members.length === 0 ? open.trim() + close.trim() : open + members.join(", ") + close;
}

function membersOf(
  node: Members | readonly Node[],
  { field, entry }: Language,
): (readonly [name: string, value: Node])[] {
  if (!(node instanceof Members)) return node.map((element) => ["", element]);
  const key = node.areFields ? field : entry;
  return node.members.map(([name, value]) => [key(name), value]);
}

function deploymentText(declaration: DeploymentDeclaration, language: Language): string {
  const { comment, indent, argument } = language;
  const [open, close] = language.deployment(declaration.naming);
  const members = declaration.args.members.map(([name, value]) =>
    memberLine([argument(name), value], language, indent),
  );
  const secrets = secretLines(declaration).map((line) => `${indent}${comment} ${line}\n`);
  return [open, ...members, ...secrets, close].join("");
}

/** The source file of the program. */
export function sourceOf({ listeners, deployments, connection }: Program, language: Language): string {
  const { comment, imports, listener } = language;
  const classes = ["Deployment", ...(listeners.length === 0 ? [] : ["Listener"])];
  const parts = [
    `${comment} ${HEAD}\n${imports(classes)}`,
    ...listeners.map((each) => `${comment} ${ONLY_READ}\n${listener(each, connection)}`),
    ...deployments.map((each) => deploymentText(each, language)),
  ];
  return `${parts.join("\n\n")}\n`;
}
