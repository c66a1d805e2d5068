/** Checks that the product's messages are short: one fact and one remedy. The guides hold the rest. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as ts from "typescript";

const ROOT = path.join(__dirname, "../..");
const LONGEST = 200;
const MOST = 5;

const files = ["provider", "sdk"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(folder, name)),
);

/** The value of a string expression, with `${…}` for each inserted value; pieces joined by `+` are one string. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans
        .map(({ expression, literal }) => `\${${expression.getText()}}${literal.text}`)
        .join("")
    );
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  return (left ?? `\${${node.left.getText()}}`) + (right ?? `\${${node.right.getText()}}`);
}

/**
 * The messages in the source that have a line that is too long. Each line is measured alone, so a string of many short
 * lines, such as a README, is allowed.
 */
function longMessagesIn(file: string, source: string): string[] {
  const long: string[] = [];
  const visit = (node: ts.Node): void => {
    const isTooLong =
      textOf(node)
        ?.split("\n")
        .some((line) => line.length > LONGEST) ?? false;
    if (isTooLong) long.push(`${file}: ${textOf(node)}`);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return long;
}

test(`at most ${MOST} messages have a line of more than ${LONGEST} characters`, () => {
  const long = files.flatMap((file) => longMessagesIn(file, readFileSync(path.join(ROOT, file), "utf8")));
  expect(long.slice(MOST)).toEqual([]);
});

test("this test counts the joined pieces of a message as one message", () => {
  const half = "x".repeat(LONGEST / 2);
  expect(longMessagesIn("a.ts", `const a = "${half}" + \`${half}\${name}\`;`)).toHaveLength(1);
  expect(longMessagesIn("a.ts", `const a = \`${half}\\n${half}\`;`)).toEqual([]);
});
