/** The bodies of a deployment's requests: its creation, its PATCH, and the call that makes a revision. */

import type { Call } from "../call";
import { type Change, classAt, managesRevision, touchesRevision } from "../diff/changes";
import type { Profile } from "../profiles/profiles";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../schema/deployment";
import type { Field, Rows } from "../schema/kind";
import type { Arguments, Inputs } from "../schema/recorded";
import { isAbsent, mergedOver, type Properties, propertiesIn } from "../schema/value";
import { join, rowsToWire, toPatch, toWire, wireName } from "../schema/wire";
import { argumentsOf } from "./arguments";
import { type Plan, planCall, refusalOf, revises } from "./plan";
import type { Write } from "./state";
import { sendsSecrets, variablesOf } from "./variables";

/** The body of a POST: every argument that a POST takes, and the sections that a service may require. */
export function createBody(inputs: Inputs, profile: Profile): Properties {
  const { revisionSource: _patchOnly, ...args } = argumentsOf(postedPart(inputs));
  return {
    source_config: {},
    source_revision_config: {},
    secrets: [],
    ...rowsToWire(deploymentRows, { ...args, secrets: variablesOf(args) }, profile),
  };
}

/**
 * The body of a PATCH: only the sections that the plan touches. On some services, even an unchanged value of
 * `source_revision_config` or `secrets` makes a revision.
 */
export function patchBody(plan: Plan, profile: Profile): Properties {
  const { state, inputs } = plan;
  const changes = plan.changes.filter((change) => change.effect !== "kept");
  const forcesRevisionAgain = plan.rollout === "remake" || changes.some(forcesRevision);
  const before = argumentsOf(state);
  const body: Properties = {};
  const add = (wire: string, section: Properties): void => {
    if (!isEmpty(section)) body[wire] = section;
  };
  if (changes.some(({ path }) => later.includes(path))) Object.assign(body, laterBody(inputs, profile));
  if (touches(changes, "sourceConfig"))
    add("source_config", sourceConfigPatch(before, inputs, changes, profile));
  if (touches(changes, "sourceRevisionConfig") || (forcesRevisionAgain && managesRevision(inputs)))
    add("source_revision_config", revisionSettings(before, inputs, profile));
  if (sendsSecrets(plan)) body.secrets = listPatch("secrets", variablesOf(inputs), profile);
  if (touches(changes, "secretReferences"))
    body.secret_references = listPatch("secretReferences", inputs.secretReferences, profile);
  if (!isEmpty(body) && revises(plan) && !isAbsent(inputs.revisionSource)) {
    body.revision_source = toWire(
      deploymentRows.revisionSource.kind,
      inputs.revisionSource,
      profile,
      "revisionSource",
    );
  }
  return body;
}

const later: readonly string[] = Object.entries<Field<unknown>>(deploymentRows).flatMap(([name, field]) =>
  field.afterCreation ? [name] : [],
);

/** The inputs, except those that only a PATCH after the creation can set. */
export const postedPart = (inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !later.includes(name)));

/** The body of the PATCH after a creation; empty if nothing is left to send. */
export const laterBody = (inputs: Inputs, profile: Profile): Properties =>
  rowsToWire(deploymentRows, Object.fromEntries(later.map((name) => [name, inputs[name]])), profile);

/** A request with an empty body is not sent. */
interface Bodies {
  /** The body of the PATCH, which is sent first. */
  readonly patch: Properties;
  readonly revision: Properties;
}

export interface Update extends Plan, Write, Bodies {}

/** Throws a RefusedError if the update must not be carried out. */
export function allowedUpdate({ state, inputs, call, id }: Omit<Write, "body">): Update {
  const plan = planCall(call, state, inputs);
  const refusal = refusalOf(plan, call.service.connection.newRevisions, call.hidden);
  if (refusal !== undefined) throw call.refuse(refusal);
  return plannedUpdate(call, id, plan);
}

export function plannedUpdate(call: Call, id: string, plan: Plan): Update {
  const bodies = bodiesOf(plan);
  return { ...plan, call, id, ...bodies, body: mergedOver(bodies.patch, bodies.revision) };
}

/** If a separate call can make the revision, the PATCH leaves out the changes that make a revision. */
function bodiesOf(plan: Plan): Bodies {
  const { profile } = plan;
  if (!goesByRevisionCall(plan)) return { patch: patchBody(plan, profile), revision: {} };
  const inPlace = plan.changes.filter((change) => !touchesRevision(change));
  const inPlacePlan: Plan = { ...plan, changes: inPlace, rollout: "done", verdict: "inPlace" };
  return { patch: patchBody(inPlacePlan, profile), revision: revisionBody(plan) };
}

function goesByRevisionCall({ changes, rollout, profile }: Plan): boolean {
  const revising = changes.filter(touchesRevision);
  const places = Object.keys(profile.ofRevisionCall);
  const isTaken = ({ path }: Change) =>
    path.startsWith("sourceConfig.")
      ? places.some((place) => touches([{ path }], place))
      : !later.includes(path);
  return (
    profile.capabilities.createRevision &&
    (revising.length > 0 || rollout === "remake") &&
    revising.every(isTaken)
  );
}

function revisionBody(plan: Plan): Properties {
  const { state, inputs, profile } = plan;
  const changes = plan.changes.filter(touchesRevision);
  const { source_config: _whole, ...sections } = patchBody({ ...plan, changes }, profile);
  const isChanged = (name: string) => touches(changes, `sourceConfig.${name}`);
  const config = groupPatch(sourceConfigRows, "sourceConfig", state, inputs, profile, isChanged);
  if (!isEmpty(config)) sections.source_config = config;
  return { ...sections, source_revision_config: revisionSettings(state, inputs, profile) };
}

/** All revision settings that the program manages, with null for each setting that the program no longer sets. */
const revisionSettings = (before: Arguments, inputs: Arguments, profile: Profile): Properties =>
  groupPatch(sourceRevisionConfigRows, "sourceRevisionConfig", before, inputs, profile, () => true);

export const isEmpty = (body: Properties): boolean => Object.keys(body).length === 0;

/** Whether a trigger or the revision source changes. If so, the update sends the managed revision fields again. */
function forcesRevision(change: Change): boolean {
  return change.path.startsWith("revisionTriggers") || change.path === "revisionSource";
}

/** Whether any change is at the path `section` or below that path. */
export function touches(changes: readonly Pick<Change, "path">[], section: string): boolean {
  return changes.some(({ path }) => path === section || path.startsWith(`${section}.`));
}

function sourceConfigPatch(
  before: Arguments,
  inputs: Arguments,
  changes: readonly Change[],
  profile: Profile,
): Properties {
  return groupPatch(sourceConfigRows, "sourceConfig", before, inputs, profile, (name) => {
    const path = `sourceConfig.${name}`;
    return isRepeatable(path, profile) || touches(changes, path);
  });
}

/** Whether the unchanged field can be sent again without making a revision. */
function isRepeatable(path: string, profile: Profile): boolean {
  const field = sourceConfigRows[path.split(".")[1] as keyof typeof sourceConfigRows];
  const within = Object.entries(profile.classes).filter(([place]) => place.startsWith(`${path}.`));
  const classes = [classAt(path, field, profile), ...within.map(([, changeClass]) => changeClass)];
  return classes.every((changeClass) => changeClass === "inPlace" || changeClass === "replace");
}

function groupPatch(
  rows: Rows,
  section: string,
  before: Arguments,
  inputs: Arguments,
  profile: Profile,
  sends: (name: string) => boolean,
): Properties {
  const [from, to] = [before[section], inputs[section]].map(propertiesIn) as [Properties, Properties];
  const body: Properties = {};
  for (const [name, field] of Object.entries(rows)) {
    const path = join(section, name);
    if ((isAbsent(from[name]) && isAbsent(to[name])) || !sends(name)) continue;
    const isSentWhole = name === "resourceSpec" && profile.capabilities.resourceSpecOverwrites;
    if (isAbsent(to[name]) && !isSentWhole && !profile.capabilities.nullClears) continue;
    body[wireName(field, path, profile)] = isSentWhole
      ? toWire(field.kind, to[name] ?? {}, profile, path)
      : toPatch(field.kind, from[name], to[name], profile, path);
  }
  return body;
}

function listPatch(name: "secrets" | "secretReferences", entries: unknown, profile: Profile): unknown {
  return isAbsent(entries) ? [] : toWire(deploymentRows[name].kind, entries, profile, name);
}
