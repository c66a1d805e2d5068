/**
 * Finds deployments that got another name or parent in the program without an alias, and deployments that move to
 * another stack. For a renamed deployment the engine plans a creation and a deletion, and only the whole preview shows
 * both. A move to another stack shows only in the previews of both stacks.
 */

import { labelled } from "../../../provider/diff/describe";
import { nameIn, typeIn, typesIn } from "../../../provider/schema/naming";
import { isAbsent, type Properties, UNKNOWN } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import { type DeploymentReport, type Report, SECRET, UNKNOWN_VALUE } from "../model";
import { labelIn } from "../read/heard";
import type { Subject } from "./case";

/**
 * The reasons why the up would fail on deployments that take the name of a removed deployment, and what to do about it.
 * `adopts`: whether the stack's configuration lets a deployment take over an existing one of the same name.
 */
export function renamingRefusals(deployments: readonly Subject[], adopts: boolean): string[] {
  const deletions = deployments.filter(({ resource }) => resource.fate === "delete");
  return deployments.filter(createsItsName(adopts)).flatMap((creation) => {
    const former = deletions.filter((each) => isSame(creation, each));
    return former.length === 0 ? [] : [refusal(creation, former)];
  });
}

/**
 * Whether the up certainly creates the deployment, and does not take over an existing deployment. The preview of a
 * replacement does not look for a deployment to adopt, so the argument and the setting `adopt` decide.
 */
const createsItsName =
  (adopts: boolean) =>
  ({ resource, news, provider }: Subject): boolean =>
    resource.fate === "create"
      ? provider.adopts === undefined && provider.verdict === undefined
      : resource.fate === "replace" && isAbsent(news.adopt) && !adopts;

/** Whether a created deployment would collide with a deleted deployment: the engine creates before it deletes. */
function isSame({ news }: Subject, { olds }: Subject): boolean {
  const { name } = news;
  if (typeof name !== "string" || name === SECRET || name === UNKNOWN) return false;
  return name === olds.name && (news.connection ?? null) === (olds.connection ?? null);
}

function refusal({ resource, news }: Subject, former: readonly Subject[]): string {
  const { urn } = resource;
  const olds = former.map((each) => each.resource.urn);
  const names = olds.map(quotedName).join(" and ");
  const aliases = olds.map((old) => `aliases: [${aliasOf(urn, old)}]`).join(" or ");
  const wayOut =
    resource.fate === "create"
      ? `If it was renamed or moved, add the option ${aliases} to ${quotedName(urn)}; otherwise set another name`
      : `Set another name, or take ${names} out in an update before this one`;
  return labelledLine(
    urn,
    `is to be created under the name "${escapeControls(String(news.name))}", which ${names}, no longer in the program, still ${olds.length > 1 ? "have" : "has"}. ${wayOut}`,
  );
}

/**
 * The warnings about listeners that were renamed without an alias. The resource with the new name takes over the
 * existing listener, so the up does not delete the listener. The up fails if the old resource's `onDestroy` is "fail".
 */
export function renamingWarnings(listeners: readonly Subject[]): string[] {
  const identity = ({ computeType, computeId, connection }: Properties): string =>
    JSON.stringify([computeType, computeId, connection ?? null]);
  const isKnown = ({ computeId }: Properties): boolean => ![SECRET, UNKNOWN].includes(String(computeId));
  const deletions = listeners.filter(({ resource }) => resource.fate === "delete");
  const creations = listeners.filter(({ resource, news }) => resource.fate === "create" && isKnown(news));
  return creations.flatMap(({ resource: { urn }, news }) =>
    deletions
      .filter(({ olds }) => identity(olds) === identity(news))
      .map(({ resource: old, olds }) => {
        const consequence =
          olds.onDestroy === "fail" ? "whose onDestroy then fails the update" : "which is then left as it is";
        const message = `takes over the listener of ${quotedName(old.urn)}, ${consequence}. If it was renamed or moved, add the option aliases: [${aliasOf(urn, old.urn)}]`;
        return labelledLine(urn, `${message} to ${quotedName(urn)}, so that nothing is created or deleted`);
      }),
  );
}

const quotedName = (urn: string): string => `"${escapeControls(nameIn(urn))}"`;

/** The alias, as TypeScript code, with which the resource `urn` takes over the state of the resource `old`. */
export function aliasOf(urn: string, old: string): string {
  const [parents, formerParents] = [urn, old].map(parentTypesIn);
  const name = [
    ...(nameIn(urn) === nameIn(old) ? [] : [`name: ${JSON.stringify(nameIn(old))}`]),
    // The type differs if the stack moves from the dynamic form to the plugin.
    ...(typeIn(urn) === typeIn(old) ? [] : [`type: ${JSON.stringify(typeIn(old))}`]),
  ];
  if (parents === formerParents) return `{ ${name.join(", ")} }`;
  // The old URN has only the type of the former parent, not the parent's name, so the alias is the whole URN.
  if (formerParents !== "") return JSON.stringify(old);
  return `{ ${[...name, "parent: pulumi.rootStackResource"].join(", ")} }`;
}

/** The types of the parents in a URN, such as `app:index:Team$`; empty for a resource directly below the stack. */
function parentTypesIn(urn: string): string {
  const types = typesIn(urn);
  return types.slice(0, types.lastIndexOf("$") + 1);
}

const labelledLine = (urn: string, words: string): string => labelled(labelIn(urn), words);

/**
 * The reports, with a warning about each deployment that one stack creates and another stack removes under the same
 * name.
 */
export function movesBetween(reports: readonly Report[]): Report[] {
  return reports.map((report) => {
    const otherReports = reports.filter(({ stack }) => stack !== report.stack);
    const warnings = report.deployments
      .filter(({ verdict }) => verdict === "create")
      .flatMap((creation) => otherReports.flatMap((other) => moveWarnings(report.stack, creation, other)));
    return warnings.length === 0 ? report : { ...report, warnings: [...report.warnings, ...warnings] };
  });
}

function moveWarnings(stack: string, creation: DeploymentReport, other: Report): string[] {
  return other.deployments
    .filter((each) => each.verdict === "delete" && isSameName(each, creation))
    .map(({ urn }) => {
      const [source, destination] = [other.stack, stack].map((name) => name.slice(name.indexOf("/") + 1));
      const words = `deployment "${creation.name}": ${other.stack} removes one of this name. If it moves to this stack, first run: pulumi state move --source ${source} --dest ${destination} '${urn}'`;
      return escapeControls(words);
    });
}

function isSameName(one: DeploymentReport, other: DeploymentReport): boolean {
  const { deploymentName } = one;
  if (deploymentName === null || [SECRET, UNKNOWN_VALUE].includes(deploymentName)) return false;
  return deploymentName === other.deploymentName && one.connection === other.connection;
}
