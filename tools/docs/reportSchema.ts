/** The JSON Schema of the report's JSON format, derived from the model and from the prose above its fields. */
import * as ts from "typescript";
import { z } from "zod";
import { reportSchema, resultSchema } from "../../sdk/report/model";
import { joinedLines, programOf } from "./schema/prose";

const MODEL = "sdk/report/model.ts";

/** A node of the schema that describes properties or items. */
interface Node {
  description?: string;
  readonly properties?: { readonly [name: string]: Node };
  readonly items?: Node;
}

/** The JSON has one report or result for one stack, and an array of reports or results for several stacks. */
export function reportSchemaText(): string {
  const registry = z.registry<{ id: string }>();
  registry.add(reportSchema, { id: "report" });
  registry.add(resultSchema, { id: "result" });
  // With `io: "input"`, the schema is for readers: it accepts fields that a later version adds.
  const { $schema, ...schema } = z.toJSONSchema(
    z.union([reportSchema, z.array(reportSchema), resultSchema, z.array(resultSchema)]),
    { io: "input", metadata: registry },
  );
  const prose = new ModelProse();
  prose.describe(schema.$defs?.report as Node, "Report");
  prose.describe(schema.$defs?.result as Node, "Result");
  const title = "What deployment-control plan --format json prints";
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}

/** The prose above the model's fields, as TypeScript's compiler reads it. */
class ModelProse {
  readonly #checker: ts.TypeChecker;
  readonly #types: ReadonlyMap<string, ts.Type>;

  constructor() {
    const program = programOf([MODEL]);
    this.#checker = program.getTypeChecker();
    const [source] = program.getRootFileNames().map((file) => program.getSourceFile(file) as ts.SourceFile);
    const module = this.#checker.getSymbolAtLocation(source as ts.SourceFile);
    const exported = this.#checker.getExportsOfModule(module as ts.Symbol);
    this.#types = new Map(
      exported.map((symbol) => [symbol.name, this.#checker.getDeclaredTypeOfSymbol(symbol)]),
    );
  }

  describe(node: Node, type: string): void {
    this.#describe(node, this.#types.get(type) as ts.Type);
  }

  #describe({ properties = {}, items }: Node, type: ts.Type): void {
    const element = items && this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (items && element) this.#describe(items, element);
    for (const [name, node] of Object.entries(properties)) {
      const symbol = type.getProperty(name) as ts.Symbol;
      const prose = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
      if (prose !== "") node.description = joinedLines(prose);
      this.#describe(node, this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(symbol)));
    }
  }
}
