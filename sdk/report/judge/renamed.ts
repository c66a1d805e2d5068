/**
 * Finds a deployment that was renamed in the program, or moved between parents, without an alias. The engine then plans
 * both a creation and a deletion of the deployment, and only the whole preview shows both.
 */
import { nameIn, typeIn, typesIn } from "../../../provider/fields/naming";
import { type Properties, UNKNOWN } from "../../../provider/fields/value";
import { escapeControls } from "../../../provider/fields/words";
import { labelled } from "../../../provider/verdict/describe";
import { SECRET } from "../model";
import { labelIn } from "../read/heard";
import type { Subject } from "./case";

/** Why the up would fail on renamed deployments, and the alias to add. */
export function renamingRefusals(deployments: readonly Subject[]): string[] {
  const deletions = deployments.filter(({ resource }) => resource.fate === "delete");
  return deployments
    .filter(({ resource }) => resource.fate === "create")
    .flatMap((creation) => {
      const former = deletions.filter((each) => isSame(creation, each));
      return former.length === 0 ? [] : [refusal(creation, former)];
    });
}

/** Whether the creation would collide with the deleted one, which still exists until everything is created. */
function isSame({ news, provider }: Subject, { olds, resource }: Subject): boolean {
  if (provider.adopts !== undefined) return provider.adopts === resource.before?.id;
  const { name } = news;
  if (typeof name !== "string" || name === SECRET || name === UNKNOWN) return false;
  return name === olds.name && (news.connection ?? null) === (olds.connection ?? null);
}

function refusal({ resource, news, provider }: Subject, former: readonly Subject[]): string {
  const { urn } = resource;
  const olds = former.map((each) => each.resource.urn);
  const names = olds.map(quotedName).join(" and ");
  const action = provider.adopts === undefined ? "is to be created under" : "is to take over what has";
  const aliases = olds.map((old) => `aliases: [${aliasOf(urn, old)}]`).join(" or ");
  return labelledLine(
    urn,
    `${action} the name "${escapeControls(String(news.name))}", which ${names} ${olds.length > 1 ? "have" : "has"} until everything is created, and ` +
      `which the program no longer declares. If it was renamed or moved, add the option ${aliases} to ${quotedName(urn)}: nothing is created or ` +
      "deleted then. If not, give it another name",
  );
}

/**
 * The same for listeners, which the up takes over. It then leaves the old entry's listener alone, unless the entry's
 * onDestroy is "fail".
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
          olds.onDestroy === "fail" ? "whose onDestroy then fails the up" : "which is then left as it is";
        const message = `takes over the listener of ${quotedName(old.urn)}, ${consequence}. If it was renamed or moved, add the option aliases: [${aliasOf(urn, old.urn)}]`;
        return labelledLine(urn, `${message} to ${quotedName(urn)}: nothing is created or deleted then`);
      }),
  );
}

const quotedName = (urn: string): string => `"${escapeControls(nameIn(urn))}"`;

/** The alias for the old entry, in TypeScript. */
export function aliasOf(urn: string, old: string): string {
  const [parents, formerParents] = [urn, old].map(parentTypesIn);
  const name = [
    ...(nameIn(urn) === nameIn(old) ? [] : [`name: ${JSON.stringify(nameIn(old))}`]),
    // The type differs if the stack moves from the dynamic form to the plugin.
    ...(typeIn(urn) === typeIn(old) ? [] : [`type: ${JSON.stringify(typeIn(old))}`]),
  ];
  if (parents === formerParents) return `{ ${name.join(", ")} }`;
  // The URN tells only the type of a former parent, so the alias has the whole URN.
  if (formerParents !== "") return JSON.stringify(old);
  return `{ ${[...name, "parent: pulumi.rootStackResource"].join(", ")} }`;
}

/** Such as `app:index:Team$`; empty directly below the stack. */
function parentTypesIn(urn: string): string {
  const types = typesIn(urn);
  return types.slice(0, types.lastIndexOf("$") + 1);
}

const labelledLine = (urn: string, words: string): string => String(labelled(labelIn(urn), words));
