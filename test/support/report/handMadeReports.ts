/** Handmade reports and results, so that the formats are tested without an engine. */
import {
  type Dependent,
  type DeploymentReport,
  type ListenerReport,
  type Outcome,
  type Reason,
  type Report,
  type ReportVerdict,
  type Result,
  summaryOf,
} from "../../../sdk/report/model";

const STACK = "shop/production";
const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const TYPE = "pulumi-nodejs:dynamic/deployment-control";
const LISTENER = "9a1c7e52-0d1b-4c8e-9f6a-1b2c3d4e5f60";

const urn = (type: string, name: string): string => `urn:pulumi:production::shop::${TYPE}:${type}::${name}`;

export function reason(
  path: string,
  effect: Reason["effect"],
  before: unknown = "old",
  after: unknown = "new",
): Reason {
  return { path, effect, before, after };
}

function dependent(name: string, overrides: Partial<Dependent> = {}): Dependent {
  return {
    urn: urn("SmokeTest", name),
    name,
    type: `${TYPE}:SmokeTest`,
    op: "update",
    ...overrides,
  };
}

export function deployment(
  name: string,
  verdict: ReportVerdict,
  overrides: Partial<DeploymentReport> = {},
): DeploymentReport {
  const isNew = verdict === "create";
  const generates = verdict === "new-revision" || verdict === "may-create-revision";
  return {
    urn: urn("Deployment", name),
    name,
    deploymentName: `shop-${name}`,
    id: isNew ? null : "11111111-2222-4333-8444-555555555555",
    verdict,
    reasons: [],
    warnings: [],
    secrets: { added: [], changed: [], removed: [] },
    generation: { before: isNew ? null : 3, after: isNew ? 1 : generates ? 4 : 3 },
    builtFrom: `registry.example.com/shop/${name}:1.1.0`,
    fate: verdict === "delete" || verdict === "replace" ? "retained" : null,
    previousFailure: false,
    listenerId: LISTENER,
    dependents: [],
    ...overrides,
  };
}

export function listener(name: string, overrides: Partial<ListenerReport> = {}): ListenerReport {
  return {
    urn: urn("Listener", name),
    name,
    id: LISTENER,
    computeId: `${name}-cluster`,
    verdict: "unchanged",
    reasons: [],
    warnings: [],
    ...overrides,
  };
}

export function report(deployments: readonly DeploymentReport[], overrides: Partial<Report> = {}): Report {
  return {
    schemaVersion: 1,
    stack: STACK,
    digest: DIGEST,
    operations: DIGEST,
    summary: summaryOf(deployments),
    failure: null,
    warnings: [],
    deployments: [...deployments],
    listeners: [],
    others: [],
    unlisted: 0,
    ...overrides,
  };
}

const image = (name: string) =>
  reason(
    "sourceRevisionConfig.imageUri",
    "new-revision",
    `registry.example.com/shop/${name}:1.0.0`,
    `registry.example.com/shop/${name}:1.1.0`,
  );
const scale = reason("sourceConfig.resourceSpec.minScale", "in-place", 1, 2);

/** A stack with every possible change. */
export function busy(): Report {
  const released = dependent("released", { type: `${TYPE}:Rollout` });
  return report(
    [
      deployment("chat", "new-revision", {
        reasons: [scale, image("chat")],
        dependents: [dependent("greeting"), released],
      }),
      deployment("research", "new-revision", {
        reasons: [image("research")],
        dependents: [released],
      }),
      deployment("billing", "may-create-revision", {
        reasons: [reason("secrets.MODEL_API_KEY", "may-create-revision", "[secret]", "[secret]")],
        secrets: { added: ["EXTRA"], changed: ["MODEL_API_KEY"], removed: [] },
        listenerId: null,
      }),
      deployment("moved", "replace", {
        reasons: [reason("name", "replace", "shop-moved", "shop-moved-2"), image("moved")],
        warnings: ['deployment "moved" is replaced: its threads stay with the old one'],
      }),
      deployment("gone", "delete", { builtFrom: null }),
      deployment("fresh", "create"),
      deployment("scaled", "in-place", { reasons: [scale] }),
      deployment("renamed", "in-place", {
        reasons: [reason("sourceConfig.customUrl", "kept", "https://chat.example.com", null)],
      }),
      ...Array.from({ length: 12 }, (_, index) => deployment(`steady-${index + 1}`, "unchanged")),
    ],
    {
      warnings: ["the last apply left 1 create pending: run pulumi refresh first"],
      listeners: [
        listener("cluster", {
          verdict: "in-place",
          reasons: [reason("computeConfig.k8sNamespaces", "in-place", ["a"], ["a", "b"])],
        }),
      ],
      others: [
        { type: "aws:s3/bucket:Bucket", create: 1, update: 0, replace: 0, delete: 0, unchanged: 4 },
        { type: "random:index/randomId:RandomId", create: 0, update: 0, replace: 0, delete: 0, unchanged: 2 },
      ],
    },
  );
}

/** A large stack: `count` deployments, only a few of which change. */
export function large(count: number): Report {
  const verdicts: readonly ReportVerdict[] = ["new-revision", "may-create-revision", "in-place"];
  return report(
    Array.from({ length: count }, (_, index) => {
      const name = `agent-${String(index + 1).padStart(3, "0")}`;
      const verdict = index < 9 ? (verdicts[index % 3] as ReportVerdict) : "unchanged";
      return deployment(name, verdict, { reasons: index < 9 ? [image(name)] : [] });
    }),
    { listeners: [listener("cluster")] },
  );
}

export function outcome(
  name: string,
  predicted: ReportVerdict,
  happened: Outcome["happened"],
  right: boolean | null,
  overrides: Partial<Outcome> = {},
): Outcome {
  return {
    urn: urn("Deployment", name),
    name,
    predicted,
    happened,
    right,
    revisionId: "3f9c2a10-77aa-4b0e-8c5d-0a9b8c7d6e5f",
    revisionStatus: "DEPLOYED",
    seconds: 12.34,
    messages: [],
    ...overrides,
  };
}

export function result(outcomes: readonly Outcome[], overrides: Partial<Result> = {}): Result {
  return {
    schemaVersion: 1,
    stack: STACK,
    digest: DIGEST,
    right: outcomes.filter(({ right }) => right === true).length,
    wrong: outcomes.filter(({ right }) => right === false).length,
    undecided: outcomes.filter(({ right }) => right === null).length,
    outcomes: [...outcomes],
    warnings: [],
    ...overrides,
  };
}

/** A result with wrong, failed, undecided and right outcomes. */
export const mixed = (): Result =>
  result([
    outcome("chat", "new-revision", "new-revision", true),
    outcome("scaled", "in-place", "new-revision", false, {
      messages: [
        "the plan said in place, but sourceConfig.resourceSpec made a revision: correct profileOverrides",
      ],
    }),
    outcome("research", "new-revision", "failed", true, { revisionStatus: "BUILD_FAILED" }),
    outcome("late", "may-create-revision", "not-applied", null, {
      revisionId: null,
      revisionStatus: null,
      seconds: null,
    }),
  ]);

/** A report with `text` in every place that the program or the service fills. */
export function hostileReport(text: string): Report {
  return report(
    [
      deployment(text, "new-revision", {
        urn: text,
        deploymentName: text,
        id: text,
        reasons: [reason(text, "new-revision", text, [text]), reason(text, "in-place", { [text]: 1 }, null)],
        warnings: [text],
        secrets: { added: [text], changed: [], removed: [] },
        builtFrom: text,
        listenerId: text,
        service: text,
        dependents: [dependent(text, { urn: text, type: text, op: text })],
      }),
      deployment(text, "in-place"),
      deployment(text, "unchanged"),
    ],
    {
      stack: text,
      digest: text,
      failure: text,
      warnings: [text],
      listeners: [
        listener(text, {
          id: text,
          computeId: text,
          service: `${text}2`,
          verdict: "in-place",
          reasons: [reason(text, "in-place", text)],
        }),
      ],
      others: [{ type: text, create: 1, update: 0, replace: 0, delete: 0, unchanged: 0 }],
    },
  );
}

export const hostileResult = (text: string): Result =>
  result(
    [
      outcome(text, "new-revision", "in-place", false, {
        revisionId: text,
        revisionStatus: text,
        messages: [text],
      }),
    ],
    { stack: text, digest: text, warnings: [text] },
  );
