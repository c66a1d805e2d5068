/** The prose above rows, above tables and above the exports for programs, as TypeScript's compiler reads it. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import * as ts from "typescript";
import type { Kind, Rows } from "../../../provider/schema/kind";

const ROOT = join(__dirname, "../../..");
const filesIn = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const TABLES = [...filesIn("provider/schema"), "provider/client/resources.ts"];
/** The files that programs import. To save time, the compiler skips the imports of these files. */
const PROGRAM = ["provider/client/resources.ts", ...filesIn("sdk/resources")];

/** A row of a resource or of the settings. */
interface Row {
  readonly kind: Kind<unknown>;
}

/** An interface's name, the prose above it, and the path of its file. */
export interface Named {
  readonly name: string;
  readonly prose: string;
  readonly file: string;
}

export interface Prose {
  /** Throws for a row without prose. */
  ofRow(row: object, place: string): string;
  /** The interface under which programs see a table; undefined if the table has no interface. */
  ofTable(rows: Rows): Named | undefined;
  /** The TypeScript type of a choice, such as `"retain" | "fail"`. */
  ofChoice(kind: object): string;
  /** The prose above an export that programs import. Throws if the export has no prose. */
  ofExport(name: string): string;
}

export function readProse(): Prose {
  const rows = new WeakMap<object, string>();
  const tables = new WeakMap<Rows, Named>();
  const choices = new WeakMap<object, string>();
  const reader = new Reader(TABLES, {}, rows, tables, choices);
  for (const file of TABLES) reader.readModule(file);
  const program = new Reader(PROGRAM, { noResolve: true }, rows, tables, choices);
  const exported = PROGRAM.flatMap((file) => program.exportsOf(file));
  return {
    ofRow(row, place) {
      const prose = rows.get(row);
      if (!prose) throw new Error(`${place} has no prose above its row`);
      return prose;
    },
    ofTable: (table) => tables.get(table),
    ofChoice(kind) {
      const type = choices.get(kind);
      if (type === undefined) throw new Error(`no type was read of ${JSON.stringify(kind)}`);
      return type;
    },
    ofExport(name) {
      const declared = exported.filter((symbol) => symbol.name === name);
      const prose = declared.map((symbol) => program.proseOf(symbol)).find((text) => text !== "");
      if (!prose) throw new Error(`${name} has no prose above it`);
      return prose;
    },
  };
}

/** The prose with the lines of each paragraph joined. */
export const joinedLines = (prose: string): string => prose.replace(/(?<!\n)\n(?!\n)/g, " ");

/** A compiler program with the project's options. */
export function programOf(files: readonly string[], options: ts.CompilerOptions = {}): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options: shared } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const paths = files.map((file) => join(ROOT, file));
  return ts.createProgram(paths, { ...shared, types: [], ...options });
}

/**
 * Walks the values of modules and their types side by side, and notes the prose of each row object. A row that is
 * spread into a second table has the same prose there.
 */
class Reader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(
    files: readonly string[],
    options: ts.CompilerOptions,
    readonly rows: WeakMap<object, string>,
    readonly tables: WeakMap<Rows, Named>,
    readonly choices: WeakMap<object, string>,
  ) {
    this.#program = programOf(files, options);
    this.#checker = this.#program.getTypeChecker();
  }

  exportsOf(file: string): ts.Symbol[] {
    const source = this.#program.getSourceFile(join(ROOT, file)) as ts.SourceFile;
    return this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(source) as ts.Symbol);
  }

  readModule(file: string): void {
    const values = require(join(ROOT, file));
    for (const symbol of this.exportsOf(file).filter(({ flags }) => flags & ts.SymbolFlags.Variable))
      this.#readValue(values[symbol.name], this.#checker.getTypeOfSymbol(symbol));
  }

  proseOf(symbol: ts.Symbol): string {
    return joinedLines(ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)));
  }

  /** Reads a table, or an object with several tables. */
  #readValue(value: unknown, type: ts.Type): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const symbol = type.getProperty(name);
      if (symbol === undefined) continue;
      const memberType = this.#checker.getTypeOfSymbol(symbol);
      if (isRow(member)) this.#readRow(member, symbol, this.#valueOf(memberType));
      else this.#readValue(member, memberType);
    }
  }

  #readRow(row: Row, symbol: ts.Symbol, type: ts.Type | undefined): void {
    const prose = this.proseOf(symbol);
    if (prose !== "") this.rows.set(row, prose);
    if (type !== undefined) this.#readKind(row.kind, type);
  }

  #readKind(kind: Kind<unknown>, type: ts.Type): void {
    const valueType = this.#checker.getNonNullableType(type);
    if (kind.type === "choice")
      this.choices.set(
        kind,
        this.#checker.typeToString(valueType, undefined, ts.TypeFormatFlags.InTypeAlias),
      );
    if (kind.type === "list") this.#readWithin(kind.of, valueType.getNumberIndexType());
    if (kind.type === "map") this.#readWithin(kind.of, valueType.getStringIndexType());
    if (kind.type === "keyed") this.#readWithin({ ...kind, type: "object" }, valueType.getStringIndexType());
    if (kind.type === "object") this.#readTable(kind.rows, valueType);
  }

  #readWithin(kind: Kind<unknown>, type: ts.Type | undefined): void {
    if (type !== undefined) this.#readKind(kind, type);
  }

  #readTable(rows: Rows, type: ts.Type): void {
    const symbol = type.getSymbol();
    const path = symbol?.declarations?.[0]?.getSourceFile().fileName;
    if (symbol !== undefined && path !== undefined && symbol.flags & ts.SymbolFlags.Interface)
      this.tables.set(rows, { name: symbol.name, prose: this.proseOf(symbol), file: relative(ROOT, path) });
    for (const [name, row] of Object.entries(rows)) {
      const member = type.getProperty(name);
      if (member !== undefined) this.#readRow(row, member, this.#checker.getTypeOfSymbol(member));
    }
  }

  /** The TypeScript type of a row's value in a program. */
  #valueOf(row: ts.Type): ts.Type | undefined {
    const kind = row.getProperty("kind");
    const value = kind && this.#checker.getTypeOfSymbol(kind).getProperty("valueType");
    return value && this.#checker.getTypeOfSymbol(value);
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "object";
}
