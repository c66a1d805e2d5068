/** Reads and checks the output of `pulumi preview --json`. */
import { z } from "zod";
import { isProperties, type Properties } from "../../../provider/schema/value";
import { checkDocument, documentsIn } from "./documents";

/** Properties are checked but not copied, because a preview may be many megabytes in size. */
export const properties = z.custom<Properties>(isProperties, "expected an object");
export const texts = z.array(z.string()).nullish();
const flag = z.boolean().nullish();
const state = z.looseObject({
  type: z.string().optional(),
  /** Whether the resource awaits its deletion, because its successor is created first. */
  delete: flag,
  /** Whether the program only reads the resource. */
  external: flag,
  retainOnDelete: flag,
  protect: flag,
  deletedWith: z.string().nullish(),
  /** The paths of properties whose changes the engine ignores. */
  ignoreChanges: texts,
  /** The provider's URN and id. */
  provider: z.string().optional(),
  id: z.string().optional(),
  /** The id from the option `import`. The state keeps this id. */
  importID: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  propertyDependencies: z.record(z.string(), texts).nullish(),
});
const step = z.looseObject({
  op: z.string(),
  urn: z.string().regex(/^urn:pulumi:/, "expected a URN, such as urn:pulumi:dev::project::type::name"),
  oldState: state.nullish(),
  newState: state.nullish(),
  replaceReasons: texts,
});
export const diagnosticSchema = z.looseObject({
  urn: z.string().optional(),
  message: z.string().optional(),
  severity: z.string().optional(),
  ephemeral: z.boolean().optional(),
});
const previewSchema = z.looseObject({
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  config: z.record(z.string(), z.string()).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

export type EngineState = z.output<typeof state>;
export type EngineStep = z.output<typeof step>;
export type Diagnostic = z.output<typeof diagnosticSchema>;

export type Preview = Readonly<ReturnType<typeof previewOf>>;

/** If the input is faulty, throws an Error that names the place of the fault. */
export function previewIn(text: string, source: string): Preview {
  const [document, ...extraDocuments] = documentsIn(text, source);
  if (extraDocuments.length === 0) return previewOf(document, source);
  throw new Error(
    `${source}: expected the preview of one stack, found ${extraDocuments.length + 1} documents. Write each stack's preview into its own file: deployment-control plan dev.json prod.json`,
  );
}

function previewOf(document: unknown, source: string) {
  const problem = wrongDocument(document);
  if (problem !== undefined) throw new Error(`${source}: ${problem}`);
  const preview = checkDocument(previewSchema, document, `${source}: `);
  return {
    /** The name of the preview's file, or `standard input`. */
    source,
    steps: preview.steps ?? [],
    diagnostics: preview.diagnostics ?? [],
    config: preview.config ?? {},
    /** The count of all resources by operation, including resources without a step. */
    counts: preview.changeSummary ?? {},
  };
}

const PARTS = ["steps", "diagnostics", "changeSummary", "config", "duration"];

/** The error message for a document that is not a preview; undefined for a preview. */
function wrongDocument(document: unknown): string | undefined {
  const names = isProperties(document) ? Object.keys(document) : [];
  if (PARTS.some((part) => names.includes(part)) && !names.includes("schemaVersion")) return undefined;
  const content = isProperties(document) ? JSON.stringify(names.slice(0, 5)) : "an array";
  return `expected the output of \`pulumi preview --json\` (without PULUMI_ENABLE_STREAMING_JSON_PREVIEW), an object with steps; found ${content}. A report goes to --expect, the events of an update to --result`;
}
