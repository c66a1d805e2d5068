import * as ts from "typescript";
import { files } from "./imports";

test("every property of a resource says in the editor what it is", () => {
  const silent: string[] = [];
  for (const { path, syntax } of files.values()) {
    if (!/^sdk\/\w+\.ts$/.test(path)) continue;
    const visit = (node: ts.Node): void => {
      const isPublic = ts.isPropertyDeclaration(node) && ts.isIdentifier(node.name);
      if (isPublic && ts.getJSDocCommentsAndTags(node).length === 0)
        silent.push(`${path}: ${node.name.text}`);
      ts.forEachChild(node, visit);
    };
    visit(syntax);
  }
  expect(silent).toEqual([]);
});
