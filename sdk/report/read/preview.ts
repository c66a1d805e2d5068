/** What `pulumi preview --json` prints: read, checked, and grouped by resource. */
import { z } from "zod";
import { isProperties, type Properties } from "../../../provider/fields/value";
import { documentsIn, Malformed } from "./documents";

export interface State {
  readonly type?: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly external?: boolean;
  readonly retainOnDelete?: boolean;
  readonly dependencies?: readonly string[] | null;
  readonly propertyDependencies?: { readonly [property: string]: readonly string[] | null } | null;
}

export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: State | null;
  readonly newState?: State | null;
}

export interface Diagnostic {
  readonly urn?: string;
  readonly message?: string;
  readonly severity?: string;
}

/** The preview of one stack. */
export interface Preview {
  /** The file, or `standard input`. */
  readonly source: string;
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
  readonly config: { readonly [key: string]: string };
  /** Count by operation, of all resources: those that the steps leave out too. */
  readonly counts: { readonly [op: string]: number };
}

/** Checked, but not copied: a preview may hold many megabytes. */
const properties = z.custom<Properties>(isProperties, "expected an object");
const texts = z.array(z.string()).nullish();
const state = z.looseObject({
  type: z.string().optional(),
  id: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  dependencies: texts,
  propertyDependencies: z.record(z.string(), texts).nullish(),
});
const step = z.looseObject({
  op: z.string(),
  urn: z.string().regex(/^urn:pulumi:/, "expected a URN, such as urn:pulumi:dev::project::type::name"),
  oldState: state.nullish(),
  newState: state.nullish(),
});
const diagnostic = z.looseObject({
  urn: z.string().optional(),
  message: z.string().optional(),
  severity: z.string().optional(),
});
const digest = z.looseObject({
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnostic).nullish(),
  config: z.record(z.string(), z.string()).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** The previews in a text, one for each stack. Throws `Malformed` with the place of the fault. */
export function previewsIn(text: string, source: string): Preview[] {
  const documents = documentsIn(text, source);
  return documents.map((document, index) =>
    previewOf(document, documents.length > 1 ? `${source}, document ${index + 1}` : source),
  );
}

function previewOf(document: unknown, source: string): Preview {
  const stranger = strangerIn(document);
  if (stranger !== undefined) throw new Malformed(`${source}: ${stranger}`);
  const { error } = digest.safeParse(document);
  if (error) throw new Malformed(`${source}: ${faultOf(error.issues[0] as z.core.$ZodIssue, document)}`);
  const read = document as z.output<typeof digest>;
  return {
    source,
    steps: (read.steps ?? []) as readonly Step[],
    diagnostics: (read.diagnostics ?? []) as readonly Diagnostic[],
    config: read.config ?? {},
    counts: read.changeSummary ?? {},
  };
}

const PARTS = ["steps", "diagnostics", "changeSummary", "config", "duration"];

/** What else is easily given instead of a preview. */
function strangerIn(document: unknown): string | undefined {
  const wanted = "expected the output of `pulumi preview --json`";
  if (!isProperties(document)) return `${wanted}, an object with steps; found an array`;
  if (document.schemaVersion !== undefined) return `this is a report; ${wanted}, of which reports are made`;
  if (document.sequence !== undefined && document.timestamp !== undefined) {
    return `these are events of the engine; ${wanted} (without PULUMI_ENABLE_STREAMING_JSON_PREVIEW). The events of an up go to --result`;
  }
  if (PARTS.some((part) => Object.hasOwn(document, part))) return undefined;
  return `${wanted}, an object with steps; found ${JSON.stringify(Object.keys(document).slice(0, 5))}`;
}

/** `$.steps[3].op: expected string, found nothing`. */
export function faultOf(issue: z.core.$ZodIssue, document: unknown): string {
  const found = issue.path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? (value as { [name: PropertyKey]: unknown })[name]
        : undefined,
    document,
  );
  const wanted =
    issue.code === "invalid_type"
      ? `expected ${issue.expected}`
      : issue.message.replace(/^Invalid input: /, "");
  return `${pathOf(issue.path)}: ${wanted}, found ${kindOf(found)}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const parts = path.map((name) =>
    typeof name === "number"
      ? `[${name}]`
      : /^\w+$/.test(String(name))
        ? `.${String(name)}`
        : `[${JSON.stringify(name)}]`,
  );
  return `$${parts.join("")}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : JSON.stringify(value).slice(0, 60);
}
