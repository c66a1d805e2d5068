/**
 * Checks that the editor shows the prose above a row wherever a program uses the row as an argument, an output or a
 * client's option.
 */
import { join } from "node:path";
import * as ts from "typescript";
import { CONNECTION_KEYS, connectionRows, type SettingTable } from "../../provider/fields/settings";
import { tablesOf } from "../support/classTables";

const ROOT = join(__dirname, "../..");
/** The path of a made-up program, with the separator that TypeScript uses for all files. */
const PROGRAM = join(__dirname, "program.ts").replaceAll("\\", "/");

/** One use of a row: a program names the row as a property of a type. */
interface Use {
  readonly row: string;
  /** The type: the row's table, the resource's class, or the type of the class's arguments. */
  readonly of: string;
}

const tables = Object.entries(tablesOf).flatMap(([resource, all]) =>
  all.map((table) => ({ ...table, resource })),
);
const uses: Use[] = tables.flatMap(({ resource, name, given, rows }) =>
  Object.keys(rows).flatMap((row) => [
    { row, of: `typeof ${name}` },
    { row, of: resource },
    ...(given ? [{ row, of: `${resource}Args` }] : []),
  ]),
);

const OPTIONS = {
  ControlClientOptions: { file: "provider/client/control.ts", client: "control", others: [] },
  RuntimeClientOptions: {
    file: "provider/client/connection.ts",
    client: "runtime",
    others: ["deploymentUrl", "clock"],
  },
};
const resources = Object.keys(tablesOf).flatMap((resource) => [resource, `${resource}Args`]);

/** A program that names every argument and every output, and imports the options of the clients. */
const program = [
  'import type { ControlClientOptions, RuntimeClientOptions } from "../../provider/client/index";',
  `import type { ${resources.join(", ")} } from "../../sdk/index";`,
  ...tables.map(({ file, name }) => `import type { ${name} } from "../../provider/fields/${file}";`),
  ...uses.map(({ row, of }, at) => `declare const value${at}: ${of};\nvalue${at}.${row};`),
].join("\n");

const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const isProgram = (path: string) => path === PROGRAM;
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [PROGRAM],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const text = isProgram(path) ? program : ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => isProgram(path) || ts.sys.fileExists(path),
  readFile: ts.sys.readFile,
});

/** The prose that the editor shows when a program uses the row as a property; `of` names the property's type. */
function proseOf(row: string, of: string): string {
  const at = uses.findIndex((use) => use.row === row && use.of === of);
  const place = program.indexOf(`\nvalue${at}.`) + `\nvalue${at}.`.length;
  const shown = ts.displayPartsToString(service.getQuickInfoAtPosition(PROGRAM, place)?.documentation);
  // Single line breaks do not matter: a generated interface has one line for each paragraph of the row's comment.
  return shown.replace(/(?<!\n)\n(?!\n)/g, " ");
}

test("the program that names every argument and every output compiles", () => {
  expect(service.getSemanticDiagnostics(PROGRAM).map(({ messageText }) => messageText)).toEqual([]);
});

test.each(tables)(
  "for each property of a $resource, the editor shows the prose above the property's row in $name",
  (table) => {
    for (const row of Object.keys(table.rows)) {
      const prose = proseOf(row, `typeof ${table.name}`);
      const shown = [prose, proseOf(row, table.resource)];
      // A program gives a Rollout the deployments themselves, but the row `deployments` is about the deployments' ids.
      if (table.given && !(table.resource === "Rollout" && row === "deployments"))
        shown.push(proseOf(row, `${table.resource}Args`));
      expect({ row, shown }).toEqual({ row, shown: shown.map(() => expect.stringMatching(/\w/)) });
      expect(new Set(shown)).toEqual(new Set([prose]));
    }
  },
);

test("the compiler keeps the prose in the declarations that a program's editor reads", () => {
  for (const { file, rows } of tables) {
    const path = join(ROOT, `provider/fields/${file}.ts`);
    const declarations = service.getEmitOutput(path, true, true).outputFiles[0]?.text ?? "";
    for (const row of Object.keys(rows))
      expect(declarations).toMatch(new RegExp(`\\*/\\s+readonly ${row}: `));
  }
});

/** The members of a type or constant, each with its prose. */
function membersOf(file: string, name: string): { [member: string]: string } {
  const compiled = service.getProgram() as ts.Program;
  const checker = compiled.getTypeChecker();
  const source = compiled.getSourceFile(join(ROOT, file)) as ts.SourceFile;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const symbol = exported.find((each) => each.name === name) as ts.Symbol;
  const type =
    symbol.flags & ts.SymbolFlags.Variable
      ? checker.getTypeOfSymbolAtLocation(symbol, source)
      : checker.getDeclaredTypeOfSymbol(symbol);
  return Object.fromEntries(
    checker
      .getPropertiesOfType(type)
      .map((member) => [member.name, ts.displayPartsToString(member.getDocumentationComment(checker))]),
  );
}

test.each(Object.entries(OPTIONS))(
  "%s has a member for each of the client's settings, with the prose of the setting's row",
  (name, options) => {
    const { file, client, others } = options;
    const rows: SettingTable = connectionRows;
    const taken = CONNECTION_KEYS.filter((key) => ["both", client].includes(rows[key]?.clients as string));
    const prose = {
      ...membersOf("provider/fields/settings.ts", "connectionRows"),
      ...membersOf("provider/fields/settings.ts", "runtimeRows"),
    };
    const members = membersOf(file, name);
    expect(Object.keys(members).sort()).toEqual([...taken, ...others].sort());
    expect(Object.values(members)).not.toContain("");
    for (const [key, words] of Object.entries(members))
      if (key !== "clock") expect({ [key]: words }).toEqual({ [key]: prose[key] });
  },
);
