/**
 * The report: what a plan will do to each deployment of one stack. The JSON format prints this value. A change that
 * breaks readers of version 1 needs a new `schemaVersion`; a new field does not.
 */
import { z } from "zod";
import { SECRET, UNKNOWN_VALUE } from "../../provider/diff/recorded";
import { compareTexts } from "../../provider/schema/words";

export const SCHEMA_VERSION = 1;

/** The verdicts, the most urgent first. */
export const VERDICTS = [
  "replace",
  "delete",
  "new-revision",
  "may-create-revision",
  "create",
  "in-place",
  "unchanged",
] as const;

export { SECRET, UNKNOWN_VALUE };

const verdict = z.enum(VERDICTS);

const reasonSchema = z.object({
  /** Path of the argument, such as `sourceRevisionConfig.repoRef` or `secrets.OPENAI_API_KEY`. */
  path: z.string(),
  /** The effect of this change alone. `kept`: the change has no effect, because the service cannot clear the field. */
  effect: z.enum(["replace", "new-revision", "may-create-revision", "in-place", "kept"]),
  /** The value before the change, any JSON value. Null if the argument was not set. */
  before: z.unknown(),
  /** The value after the change, any JSON value. Null if the argument is no longer set. */
  after: z.unknown(),
  /** Set if this change would replace the resource, and only the apply shows whether the value changes at all. */
  unknown: z.literal(true).optional(),
  /** Set if a variable moves between `secrets` and `environment` and keeps its value. The move sends no request. */
  moves: z.literal(true).optional(),
});

/** The fate of a removed or replaced resource. `retained`: stays on the service. `refused`: the update fails. */
const fateSchema = z.enum(["retained", "deleted", "refused"]);

const dependentSchema = z.object({
  urn: z.string(),
  name: z.string(),
  type: z.string(),
  /** The engine's operation on the dependent, such as `update`, `create`, `replace`, `delete`. */
  op: z.string(),
});

/** The fields that the reports on deployments and listeners share. */
const common = {
  urn: z.string(),
  /** The name in the program. */
  name: z.string(),
  /** The id on the service; null before the resource exists. */
  id: z.string().nullable(),
  /** The base URL of the service that has, or will have, the resource; null if the preview does not show the URL. */
  service: z.string().nullable().optional(),
  reasons: z.array(reasonSchema),
  warnings: z.array(z.string()),
  /** Lines that the report does not understand. Each of them makes the gate `may` fail. */
  notUnderstood: z.array(z.string()).optional(),
};

const deploymentSchema = z.object({
  ...common,
  /** The deployment's name on the service; null while the name is unknown. */
  deploymentName: z.string().nullable(),
  verdict,
  /** The names of the secrets that change. A report has no values of secrets. */
  secrets: z.object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  /** `revisionGeneration` before and after the update; null if the number is missing or unknown. */
  generation: z.object({ before: z.number().nullable(), after: z.number().nullable() }),
  /** The branch, image or tarball path from which the program builds the deployment. */
  builtFrom: z.string().nullable(),
  /**
   * Whether the service keeps or deletes a deployment that the plan deletes or replaces, or may replace. Null if the
   * deployment stays in use. `refused`: `pulumi up` fails on this deployment.
   */
  fate: fateSchema.nullable(),
  /** Set if the service deletes the deployment before its successor is created. */
  isDown: z.literal(true).optional(),
  /** Set if the service deletes the deployment under some of the profiles that may apply, but not under all. */
  mayStay: z.literal(true).optional(),
  /** The verdict if the unknown values turn out unchanged. Set only if the deployment may be replaced. */
  otherwise: verdict.optional(),
  /**
   * Ids of deployments that earlier replacements left behind and that this update removes from the stack. The gate
   * `delete` counts them.
   */
  leftovers: z.array(z.string()).optional(),
  /**
   * Set if the stack's `newRevisions` forbids the planned revision, but the deployment's provider does not know the
   * setting. The engine passes the setting only to default providers.
   */
  forbidden: z.literal(true).optional(),
  /** Whether the deployment's last update failed or was cut short. */
  previousFailure: z.boolean(),
  /** The id of the listener that the deployment runs on; null without a listener. */
  listenerId: z.string().nullable(),
  /**
   * Resources that change and take inputs from the deployment. Empty if the deployment certainly gets no new revision.
   */
  dependents: z.array(dependentSchema),
});

const listenerSchema = z.object({
  ...common,
  computeId: z.string().nullable(),
  verdict: z.enum(["create", "replace", "in-place", "delete", "unchanged"]),
  /** Whether the service keeps or deletes the listener, like a deployment's `fate`. */
  fate: fateSchema.nullable().optional(),
  /** The verdict if the unknown values turn out unchanged. Set only if the listener may be replaced. */
  otherwise: z.enum(["in-place", "unchanged"]).optional(),
});

/** The counts for one type of resource. Deployments and listeners are not counted here. */
const othersSchema = z.object({
  /** Type token without the package's module path, such as `aws:s3/bucket:Bucket`. */
  type: z.string(),
  create: z.number(),
  update: z.number(),
  replace: z.number(),
  delete: z.number(),
  unchanged: z.number(),
});

/** For each verdict, the summary's field that counts the deployments with that verdict. */
export const COUNTED_AS = {
  create: "create",
  replace: "replace",
  "new-revision": "newRevision",
  "may-create-revision": "mayCreateRevision",
  "in-place": "inPlace",
  delete: "delete",
  unchanged: "unchanged",
} as const satisfies { readonly [V in ReportVerdict]: string };

const counts = Object.values(COUNTED_AS).map((name) => [name, z.number()]);
const summarySchema = z.object(
  Object.fromEntries(counts) as Record<(typeof COUNTED_AS)[ReportVerdict], z.ZodNumber>,
);

export const reportSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  /** `project/stack`, or only the stack's name if the preview does not name the project. */
  stack: z.string(),
  /** `sha256:…` of everything that decides what the apply does. `--expect` computes and compares the digest. */
  digest: z.string(),
  /** `sha256:…` of each operation, and of everything that the report only counts. `digest` covers this value too. */
  operations: z.string(),
  /** Counts of deployments by verdict. */
  summary: summarySchema,
  /** The preview's error, or null. After an error, the report lacks the resources that the preview did not reach. */
  failure: z.string().nullable(),
  /** Why every `pulumi up` with this plan would fail although the preview passed. Each reason has a remedy. */
  refusals: z.array(z.string()).optional(),
  /** The preview's warnings that are not about a deployment or listener. */
  warnings: z.array(z.string()),
  deployments: z.array(deploymentSchema),
  listeners: z.array(listenerSchema),
  others: z.array(othersSchema),
  /**
   * The number of unchanged resources, deployments included, that the preview leaves out. The number is 0 with
   * `--show-sames`.
   */
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
type Summary = z.infer<typeof summarySchema>;
export type Report = z.infer<typeof reportSchema>;

export const resourcesIn = ({ deployments, listeners }: Report): ResourceReport[] => [
  ...deployments,
  ...listeners,
];

export const isDeployment = (report: ResourceReport): report is DeploymentReport => "dependents" in report;

export function summaryOf(deployments: readonly { readonly verdict: ReportVerdict }[]): Summary {
  const summary = Object.fromEntries(Object.values(COUNTED_AS).map((name) => [name, 0])) as Summary;
  for (const { verdict } of deployments) summary[COUNTED_AS[verdict]] += 1;
  return summary;
}

/** A copy of the reports, sorted by urgency of the verdict, then by name. */
export const byUrgency = <R extends Pick<DeploymentReport, "urn" | "name" | "verdict">>(
  reports: readonly R[],
): R[] =>
  [...reports].sort(
    (first, second) =>
      VERDICTS.indexOf(first.verdict) - VERDICTS.indexOf(second.verdict) ||
      compareTexts(first.name, second.name) ||
      compareTexts(first.urn, second.urn),
  );

export function stricter<V extends ReportVerdict>(first: V, second: V): V {
  return VERDICTS.indexOf(first) <= VERDICTS.indexOf(second) ? first : second;
}

// -- The result: a comparison of the plan and the apply. --

const outcomeSchema = z.object({
  urn: z.string(),
  name: z.string(),
  predicted: verdict,
  /** `not-applied`: the apply did not reach this deployment, had other targets, or ran a program without the change. */
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
  /** Whether the prediction was right about every change; null if the events cannot tell. */
  right: z.boolean().nullable(),
  /** Every difference from the plan, apart from the verdict. No field if there are no differences. */
  differences: z.array(z.string()).optional(),
  /** The predicted and the actual `fate` of a deployment that was deleted or replaced. */
  fate: z.object({ predicted: fateSchema, happened: z.enum(["retained", "deleted"]) }).optional(),
  revisionId: z.string().nullable(),
  revisionStatus: z.string().nullable(),
  seconds: z.number().nullable(),
  /** The apply's messages about the deployment, with secrets masked. */
  messages: z.array(z.string()),
});

export const resultSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  stack: z.string(),
  digest: z.string(),
  /** The counts of right, wrong and undecided predictions in `outcomes`. */
  right: z.number(),
  wrong: z.number(),
  undecided: z.number(),
  outcomes: z.array(outcomeSchema),
  warnings: z.array(z.string()),
});

export type Outcome = z.infer<typeof outcomeSchema>;
export type Result = z.infer<typeof resultSchema>;
