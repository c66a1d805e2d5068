/** The JSON Schema of the JSON format, derived from the model. */
import { z } from "zod";
import { reportSchema, resultSchema } from "./model";

/** One report for one stack, an array for several; the same with `--result`. */
export function jsonSchemaOfReports(): object {
  const registry = z.registry<{ id: string }>();
  registry.add(reportSchema, { id: "report" });
  registry.add(resultSchema, { id: "result" });
  // As input: a reader must not refuse fields that a later version adds.
  const { $schema: _draft, ...schema } = z.toJSONSchema(
    z.union([reportSchema, z.array(reportSchema), resultSchema, z.array(resultSchema)]),
    { io: "input", metadata: registry },
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What deployment-control plan --format json prints",
    ...schema,
  };
}
