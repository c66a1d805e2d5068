/**
 * The report: what a plan will do to each deployment of one stack, as one value that every format shows.
 *
 * The JSON format is this value; its JSON Schema is derived from the schemas here. A change that breaks readers of version 1
 * needs a new `schemaVersion`; a new field does not.
 */
import { z } from "zod";

export const SCHEMA_VERSION = 1;

/** Most urgent first. */
export const VERDICTS = [
  "replace",
  "delete",
  "new-revision",
  "may-create-revision",
  "create",
  "in-place",
  "unchanged",
] as const;

/** Shown for every value that the program marked secret, and for every value of `secrets`. */
export const SECRET = "[secret]";
/** Shown for a value that only the apply knows. */
export const UNKNOWN_VALUE = "[unknown]";

const verdict = z.enum(VERDICTS);

const reasonSchema = z.object({
  /** Path of the argument, such as `sourceRevisionConfig.repoRef` or `secrets.OPENAI_API_KEY`. */
  path: z.string(),
  /** The effect of this change alone. `kept`: none, because the service cannot clear the field. */
  effect: z.enum(["replace", "new-revision", "may-create-revision", "in-place", "kept"]),
  /** Any JSON value; null when it was not set. */
  before: z.unknown(),
  /** Any JSON value; null when it is no longer set. */
  after: z.unknown(),
  /** Set for a replacement if only the apply knows whether the value changes at all. */
  unknown: z.literal(true).optional(),
  /** Set for a variable that moves between `secrets` and `environment` with its value, so that nothing is sent. */
  moves: z.literal(true).optional(),
});

/** The fate, on the service, of a resource that is removed or replaced. */
const fateSchema = z.enum(["retained", "deleted", "refused"]);

const dependentSchema = z.object({
  urn: z.string(),
  name: z.string(),
  type: z.string(),
  /** The engine's step, such as `same`, `update`, `create`, `replace`, `delete`. */
  op: z.string(),
  /** Its inputs that come from the deployment, such as `triggers`; empty if the preview does not tell. */
  properties: z.array(z.string()),
  /** Whether a new revision of the deployment makes one of its inputs unknown or changes it. */
  followsRevision: z.boolean(),
});

const deploymentSchema = z.object({
  urn: z.string(),
  /** Name in the program. */
  name: z.string(),
  /** Name on the service; null while it is unknown. */
  deploymentName: z.string().nullable(),
  /** Id on the service; null before it is created. */
  id: z.string().nullable(),
  verdict,
  reasons: z.array(reasonSchema),
  warnings: z.array(z.string()),
  /** Lines about it that the report does not understand: they count as `may-create-revision`. */
  notUnderstood: z.array(z.string()).optional(),
  /** Names only. */
  secrets: z.object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  /** `revisionGeneration` before and after; null if there is none or it is unknown. */
  generation: z.object({ before: z.number().nullable(), after: z.number().nullable() }),
  /** Its revisions, from the state. */
  revisions: z.object({
    latestId: z.string().nullable(),
    latestStatus: z.string().nullable(),
    activeId: z.string().nullable(),
  }),
  /** The branch, image or path in the program. */
  builtFrom: z.string().nullable(),
  /**
   * The fate of the deployment on the service if it is, or may be, deleted or replaced; null if it stays in use.
   * `refused`: the up fails on it.
   */
  fate: fateSchema.nullable(),
  /** Set if it may be replaced: the verdict if the unknown values turn out unchanged. */
  otherwise: verdict.optional(),
  /** Ids of old deployments that this up deletes, because their deletion failed in an earlier replacement. */
  leftovers: z.array(z.string()).optional(),
  /**
   * Set if the stack's `newRevisions` forbids its revision; the engine passes that setting only to default providers.
   */
  forbidden: z.literal(true).optional(),
  /** Whether its last update failed or was cut short, so that this up has to deal with it. */
  previousFailure: z.boolean(),
  /** Set if it runs on a listener. */
  listenerId: z.string().nullable(),
  connection: z.string().nullable(),
  /** Resources that depend on it directly. */
  dependents: z.array(dependentSchema),
});

const listenerSchema = z.object({
  urn: z.string(),
  name: z.string(),
  id: z.string().nullable(),
  computeId: z.string().nullable(),
  verdict: z.enum(["create", "replace", "in-place", "delete", "unchanged"]),
  /** Like a deployment's. */
  fate: fateSchema.nullable().optional(),
  /** Set if it may be replaced: the verdict if the unknown values turn out unchanged. */
  otherwise: z.enum(["in-place", "unchanged"]).optional(),
  reasons: z.array(reasonSchema),
  warnings: z.array(z.string()),
  /** Lines about it that the report does not understand: the gate `may` fails on them. */
  notUnderstood: z.array(z.string()).optional(),
});

/** Counts of all other resources, by type. */
const othersSchema = z.object({
  /** Type token without the package's module path, such as `aws:s3/bucket:Bucket`. */
  type: z.string(),
  create: z.number(),
  update: z.number(),
  replace: z.number(),
  delete: z.number(),
  unchanged: z.number(),
  /** The changing resources of this provider's own types, by name. */
  changing: z
    .array(z.object({ name: z.string(), fate: z.enum(["create", "update", "replace", "delete"]) }))
    .optional(),
});

const summarySchema = z.object({
  create: z.number(),
  replace: z.number(),
  newRevision: z.number(),
  mayCreateRevision: z.number(),
  inPlace: z.number(),
  delete: z.number(),
  unchanged: z.number(),
});

export const reportSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  /** `project/stack`, or only the stack if the preview does not name the project. */
  stack: z.string(),
  /** `sha256:…` of everything that decides what the apply does; `--expect` makes it again and compares it. */
  digest: z.string(),
  /**
   * `sha256:…` of each resource's operation, and of everything that the report shows only as counts; a part of the
   * digest.
   */
  operations: z.string().optional(),
  /** Counts of deployments by verdict. */
  summary: summarySchema,
  /** Why the preview failed, or null. The report of a failed preview lacks the resources that it did not reach. */
  failure: z.string().nullable(),
  /** Set if every up of this plan would fail although the preview passed: why, and what to do. */
  refusals: z.array(z.string()).optional(),
  /** The preview's warnings that are not about a deployment or listener. */
  warnings: z.array(z.string()),
  deployments: z.array(deploymentSchema),
  listeners: z.array(listenerSchema),
  others: z.array(othersSchema),
  /** How many unchanged resources, deployments among them, the preview leaves out; none with `--show-sames`. */
  unlisted: z.number(),
});

export type ReportVerdict = z.infer<typeof verdict>;
export type Fate = z.infer<typeof fateSchema>;
export type Reason = z.infer<typeof reasonSchema>;
export type Dependent = z.infer<typeof dependentSchema>;
export type DeploymentReport = z.infer<typeof deploymentSchema>;
export type ListenerReport = z.infer<typeof listenerSchema>;
export type ResourceReport = DeploymentReport | ListenerReport;
export type OtherResources = z.infer<typeof othersSchema>;
export type Summary = z.infer<typeof summarySchema>;
export type Report = z.infer<typeof reportSchema>;

export const isDeployment = (report: ResourceReport): report is DeploymentReport => "dependents" in report;

/** The verdict under which a deployment is counted. */
export const COUNTED_AS: { readonly [V in ReportVerdict]: keyof Summary } = {
  create: "create",
  replace: "replace",
  "new-revision": "newRevision",
  "may-create-revision": "mayCreateRevision",
  "in-place": "inPlace",
  delete: "delete",
  unchanged: "unchanged",
};

/** Number of deployments under each verdict. */
export function summaryOf(deployments: readonly { readonly verdict: ReportVerdict }[]): Summary {
  const summary = Object.fromEntries(Object.values(COUNTED_AS).map((name) => [name, 0])) as Summary;
  for (const { verdict } of deployments) summary[COUNTED_AS[verdict]] += 1;
  return summary;
}

/** The more urgent of two verdicts. */
export function stricter<V extends ReportVerdict>(first: V, second: V): V {
  return VERDICTS.indexOf(first) <= VERDICTS.indexOf(second) ? first : second;
}

// -- Result mode: the plan against what happened. --

const outcomeSchema = z.object({
  urn: z.string(),
  name: z.string(),
  predicted: verdict,
  /** `not-applied`: the apply ended before this deployment, was for other targets, or ran a program without the change. */
  happened: z.enum([
    "created",
    "replaced",
    "new-revision",
    "in-place",
    "deleted",
    "unchanged",
    "failed",
    "not-applied",
    "unknown",
  ]),
  /** Whether the prediction was right; null if that cannot be told. */
  right: z.boolean().nullable(),
  /** Set if it was deleted or replaced: the predicted and the actual fate of the deployment on the service. */
  fate: z.object({ predicted: fateSchema, happened: z.enum(["retained", "deleted"]) }).optional(),
  revisionId: z.string().nullable(),
  revisionStatus: z.string().nullable(),
  seconds: z.number().nullable(),
  /** The apply's messages about it, with secrets masked. */
  messages: z.array(z.string()),
});

export const resultSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  stack: z.string(),
  digest: z.string(),
  /** Counts over `outcomes`. */
  right: z.number(),
  wrong: z.number(),
  undecided: z.number(),
  outcomes: z.array(outcomeSchema),
  warnings: z.array(z.string()),
});

export type Outcome = z.infer<typeof outcomeSchema>;
export type Result = z.infer<typeof resultSchema>;
