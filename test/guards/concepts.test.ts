/**
 * Counts the concepts that a reader of the provider must remember. A change that adds a concept must also remove one:
 * the counts only fall.
 */
import * as ts from "typescript";
import { files } from "./imports";

const COUNTS = {
  /** Values that the state holds for the next run, in addition to arguments and outputs. */
  "notes in the state": 4,
  /** Records that the resources of a run share. */
  "records of a fleet": 2,
  /** Abilities and behaviors that differ between services. */
  capabilities: 9,
  /** Row types that declare `kind` themselves. A type that only extends a row type does not count. */
  "row languages": 4,
};

const nodes = [...files.values()].flatMap(({ syntax }) => within(syntax));

function within(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child, ...within(child)));
  return children;
}

/** The only declaration with this name and of this sort. */
function declared<T extends ts.NamedDeclaration>(is: (node: ts.Node) => node is T, name: string): T {
  const [declaration, ...others] = nodes.filter(is).filter((each) => each.name?.getText() === name);
  expect([name, declaration === undefined, others.length]).toEqual([name, false, 0]);
  return declaration as T;
}

/** The fields of a class, including those that its constructor declares as parameters. */
function fieldsOf({ members }: ts.ClassDeclaration): readonly ts.Node[] {
  const parameters = members.filter(ts.isConstructorDeclaration).flatMap((each) => [...each.parameters]);
  const properties = parameters.filter((each) => ts.isParameterPropertyDeclaration(each, each.parent));
  return [...members.filter(ts.isPropertyDeclaration), ...properties];
}

/** The elements of the list from which a constant is made. */
function elementsOf({ initializer }: ts.VariableDeclaration): readonly ts.Node[] {
  const list = initializer && [initializer, ...within(initializer)].find(ts.isArrayLiteralExpression);
  return list?.elements ?? [];
}

const hasOwnKind = ({ members }: ts.InterfaceDeclaration): boolean =>
  members.some(
    (member) =>
      ts.isPropertySignature(member) &&
      member.name.getText() === "kind" &&
      /^(Setting)?Kind</.test(member.type?.getText() ?? ""),
  );

const counted: { readonly [concept in keyof typeof COUNTS]: () => readonly ts.Node[] } = {
  "notes in the state": () => elementsOf(declared(ts.isVariableDeclaration, "NOTES")),
  "records of a fleet": () => fieldsOf(declared(ts.isClassDeclaration, "Fleet")),
  capabilities: () => declared(ts.isInterfaceDeclaration, "Capabilities").members,
  "row languages": () => nodes.filter(ts.isInterfaceDeclaration).filter(hasOwnKind),
};

test.each(Object.keys(COUNTS) as (keyof typeof COUNTS)[])("no %s are added", (concept) => {
  expect(counted[concept]().length).toBe(COUNTS[concept]);
});
