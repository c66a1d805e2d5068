/** The report of a preview: made from its JSON alone, with no request, no program and no provider process. */

import { typeToken } from "../../../provider/fields/naming";
import { type OtherResources, type Report, SCHEMA_VERSION, summaryOf } from "../model";
import type { Preview } from "../read/preview";
import { type PlannedResource, resourcesOf, stackIn } from "../read/resources";
import { type Told, toldIn } from "../read/told";
import { type Dependents, dependentsIn } from "./dependents";
import { judgeDeployment } from "./deployment";
import { digestOf } from "./digest";
import { judgeListener } from "./listener";
import { profileOf } from "./profile";
import { byUrgency } from "./urgency";

const DEPLOYMENT = typeToken("Deployment");
const LISTENER = typeToken("Listener");

export interface JudgeOptions {
  /** Name of the profile for what the preview does not tell; that of its configuration, else `contract`, unless given. */
  readonly profile?: string | undefined;
}

/** What one resource is judged with. */
export interface Case {
  readonly resource: PlannedResource;
  readonly told: Told | undefined;
  readonly dependents: Dependents;
  readonly profileOf: (resource: PlannedResource) => ReturnType<typeof profileOf>;
}

/** Throws an Error for a profile that there is not. */
export function judge(preview: Preview, options: JudgeOptions = {}): Report {
  const resources = resourcesOf(preview);
  const told = toldIn(preview);
  const context = {
    dependents: dependentsIn(resources),
    profileOf: (resource: PlannedResource) => profileOf(resource, preview.config, options.profile),
  };
  const cases = (type: string): Case[] =>
    resources
      .filter((resource) => isManaged(resource, type))
      .map((resource) => ({ resource, told: told.get(resource.urn), ...context }));
  const deployments = byUrgency(cases(DEPLOYMENT).map(judgeDeployment));
  const listeners = byUrgency(cases(LISTENER).map(judgeListener));
  const others = resources.filter((each) => !isManaged(each, DEPLOYMENT) && !isManaged(each, LISTENER));
  const stack = stackIn(preview) ?? "(unknown)";
  return {
    schemaVersion: SCHEMA_VERSION,
    stack,
    digest: digestOf(stack, [...deployments, ...listeners], resources),
    summary: summaryOf(deployments),
    failure: failureOf(preview),
    warnings: warningsOf(preview),
    deployments,
    listeners,
    others: countsOf(others.filter(isCounted)),
    unlisted: Math.max(
      0,
      (preview.counts.same ?? 0) - resources.filter(({ fate }) => fate === "same").length,
    ),
  };
}

/** What is only read belongs to somebody else. */
function isManaged(resource: PlannedResource, type: string): boolean {
  return resource.type === type && resource.fate !== "read";
}

/** The stack itself and the engine's own entries for providers are no resources to anybody. */
function isCounted({ type }: PlannedResource): boolean {
  return type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");
}

const COLUMNS = {
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  leftover: "delete",
  same: "unchanged",
  read: "unchanged",
} as const;

function countsOf(resources: readonly PlannedResource[]): OtherResources[] {
  const counts = new Map<string, OtherResources>();
  for (const { type, fate } of resources) {
    const known = counts.get(type) ?? { type, create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
    known[COLUMNS[fate]] += 1;
    counts.set(type, known);
  }
  return [...counts.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** Why the preview failed, in the words of its first error, without a stack. */
function failureOf(preview: Preview): string | null {
  const errors = preview.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    return (errors[0]?.message ?? "")
      .trim()
      .replace(/^error: /, "")
      .split("\n")
      .slice(0, 2)
      .join(" ");
  return preview.steps.length === 0 ? "it holds no steps at all, not even of the stack" : null;
}

/** Warnings about deployments and listeners stand with these. */
function warningsOf(preview: Preview): string[] {
  return preview.diagnostics
    .filter(({ severity, urn }) => severity === "warning" && !isOurs(urn))
    .map(({ message = "" }) => message.trim().replace(/^warning: /, ""));
}

function isOurs(urn: string | undefined): boolean {
  return urn?.includes(`${DEPLOYMENT}::`) === true || urn?.includes(`${LISTENER}::`) === true;
}
