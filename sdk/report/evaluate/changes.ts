/** Compares the planned changes with the changes that the update applied, path by path and value by value. */

import { argumentsOf } from "../../../provider/deployment/arguments";
import { shownValue } from "../../../provider/diff/recorded";
import { listenerRows } from "../../../provider/schema/listener";
import { isProperties, type Properties, rowsIn } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import { UNKNOWN_VALUE } from "../model";
import type { Events } from "../read/events";
import { kindOf } from "../read/lines";
import type { Preview } from "../read/preview";
import type { Subject } from "./case";
import { evaluateDeployment } from "./deployment";
import { subjectsIn } from "./evaluate";
import { changeWords, reasonText } from "./gates";
import { evaluateListener } from "./listener";
import type { Changed } from "./reasons";
import { serviceOf } from "./service";

interface Changes {
  readonly fate: "create" | "update" | "replace";
  /** The changed arguments. For a creation, all arguments. */
  readonly changes: readonly Changed[];
  /**
   * Whether the resource may be replaced. Without a replacement, the engine drops changes that `ignoreChanges` names.
   */
  readonly mayBeReplaced: boolean;
}

const UNCHANGED: Changes = { fate: "update", changes: [], mayBeReplaced: false };

/** The deployments and listeners whose changes differ from the plan, each with one line per difference. */
export function differencesIn(preview: Preview, { steps, diagnostics }: Events): Map<string, string[]> {
  const [planned, applied] = [preview, { ...preview, steps, diagnostics }].map(changesIn);
  const pairs = [...(applied ?? [])].map(([urn, up]): [string, string[]] => [
    urn,
    differencesBetween(planned?.has(urn) ? planned.get(urn) : UNCHANGED, up),
  ]);
  return new Map(pairs.filter(([, lines]) => lines.length > 0));
}

/** The changes of each resource that is created, updated or replaced; undefined for a resource without a plan. */
function changesIn(preview: Preview): Map<string, Changes | undefined> {
  const { deployments, listeners } = subjectsIn(preview);
  return new Map(
    [...deployments, ...listeners].flatMap((subject) => {
      const { urn, fate, isUnplanned } = subject.resource;
      if (fate !== "create" && fate !== "update" && fate !== "replace") return [];
      return [[urn, isUnplanned ? undefined : changesOf(subject, fate)]];
    }),
  );
}

function changesOf(subject: Subject, fate: Changes["fate"]): Changes {
  const { resource, news } = subject;
  const isDeployment = kindOf(resource.urn) === "deployment";
  const service = { path: "service", before: null, after: serviceOf(resource) ?? UNKNOWN_VALUE };
  if (fate === "create") {
    const args = isDeployment ? argumentsOf(news) : rowsIn(listenerRows, news);
    return { ...UNCHANGED, fate, changes: [...additionsIn(args), service] };
  }
  const { reasons, otherwise } = (isDeployment ? evaluateDeployment(subject) : evaluateListener(subject))
    .report;
  return {
    fate,
    changes: fate === "replace" ? [...reasons, service] : reasons,
    mayBeReplaced: otherwise !== undefined,
  };
}

/** Lists each value inside the properties as an addition. */
const additionsIn = (properties: Properties, prefix = ""): Changed[] =>
  Object.entries(properties).flatMap(([name, value]) =>
    isProperties(value)
      ? additionsIn(value, `${prefix}${name}.`)
      : [{ path: prefix + name, before: null, after: shownValue(value) ?? null }],
  );

function differencesBetween(plan: Changes | undefined, up: Changes | undefined): string[] {
  // If only the plan or only the update creates the resource, the two verdicts already differ.
  if (plan === undefined || up === undefined || (plan.fate === "create") !== (up.fate === "create"))
    return [];
  return linesBetween(plan.changes, up.changes, plan.mayBeReplaced);
}

function linesBetween(planned: readonly Changed[], applied: readonly Changed[], mayLack: boolean): string[] {
  const missing = planned.filter(
    ({ path }) => !mayLack && !isOpenAt(planned, path) && !applied.some((change) => change.path === path),
  );
  return [
    ...applied.flatMap((change) => {
      const plan = planned.find(({ path }) => path === change.path);
      if (plan === undefined)
        return isOpenAt(planned, change.path) ? [] : [`${reasonText(change)} was not planned`];
      if (fits([change.before, change.after], [plan.before, plan.after])) return [];
      const words = `planned ${changeWords(plan)}, applied ${changeWords(change)}`;
      return [`${escapeControls(change.path)}: ${words}`];
    }),
    ...missing.map((plan) => `${reasonText(plan)} was planned, but not applied`),
  ];
}

/** Whether the plan has an unknown value at the path, above the path or below the path. */
const isOpenAt = (planned: readonly Changed[], path: string): boolean =>
  planned.some((plan) => isOpen(plan.after) && (isWithin(path, plan.path) || isWithin(plan.path, path)));

/** Whether the path is `outer` or below it. A variable may move to `secrets`, so `environment` counts as `secrets`. */
function isWithin(path: string, outer: string): boolean {
  const [inside, outside] = [path, outer].map((each) => `${each}.`.replace(/^environment\./, "secrets."));
  return (inside as string).startsWith(outside as string);
}

export const isOpen = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(isOpen) : value === UNKNOWN_VALUE;

/** Whether the value is as planned. A part that was unknown in the plan may have any value. */
function fits(value: unknown, planned: unknown): boolean {
  if (planned === UNKNOWN_VALUE) return true;
  const sides = [value, planned];
  if (!sides.every(Array.isArray) && !sides.every(isProperties)) return value === planned;
  const [members, plannedMembers] = sides as [Properties, Properties];
  const names = [...Object.keys(members), ...Object.keys(plannedMembers)];
  return names.every((name) => fits(members[name], plannedMembers[name]));
}
