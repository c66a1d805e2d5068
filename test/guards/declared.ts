/** The members of a declared type or constant, each with its prose, as an editor shows them. */
import { join } from "node:path";
import * as ts from "typescript";

const ROOT = join(__dirname, "../..");
const FILES = [
  "provider/client/control.ts",
  "provider/client/connection.ts",
  "provider/fields/filters.ts",
  "provider/fields/settings.ts",
];

let program: ts.Program | undefined;

function opened(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return ts.createProgram(
    FILES.map((file) => join(ROOT, file)),
    options,
  );
}

export function membersOf(file: string, name: string): { [member: string]: string } {
  program ??= opened();
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(ROOT, file)) as ts.SourceFile;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const symbol = exported.find((each) => each.name === name) as ts.Symbol;
  const type =
    symbol.flags & ts.SymbolFlags.Variable
      ? checker.getTypeOfSymbolAtLocation(symbol, source)
      : checker.getDeclaredTypeOfSymbol(symbol);
  const members = checker.getPropertiesOfType(type);
  return Object.fromEntries(
    members.map((member) => [member.name, ts.displayPartsToString(member.getDocumentationComment(checker))]),
  );
}
