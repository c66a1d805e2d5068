/**
 * A deployment that was renamed in the program, or moved between parents, without an alias: the engine plans a creation
 * and a deletion of one deployment. Only the steps of the whole preview show that: no provider sees both.
 */
import { nameIn, typeIn, typesIn } from "../../../provider/fields/urn";
import { type Properties, UNKNOWN } from "../../../provider/fields/value";
import { escapeControls } from "../../../provider/fields/words";
import { labelled } from "../../../provider/verdict/sentences";
import { SECRET } from "../model";
import { labelIn } from "../read/heard";
import type { Subject } from "./case";

/** Why the up would fail on them, and the alias to write; none where nothing was renamed. */
export function renamingRefusals(deployments: readonly Subject[]): string[] {
  const deleted = deployments.filter(({ resource }) => resource.fate === "delete");
  return deployments
    .filter(({ resource }) => resource.fate === "create")
    .flatMap((created) => {
      const former = deleted.filter((each) => isSame(created, each));
      return former.length === 0 ? [] : [refusal(created, former)];
    });
}

/** Whether the creation would meet the one that goes: that is deleted after everything is created, if at all. */
function isSame({ news, heard }: Subject, { olds, resource }: Subject): boolean {
  if (heard.adopts !== undefined) return heard.adopts === resource.before?.id;
  const { name } = news;
  if (typeof name !== "string" || name === SECRET || name === UNKNOWN) return false;
  return name === olds.name && (news.connection ?? null) === (olds.connection ?? null);
}

function refusal({ resource, news, heard }: Subject, former: readonly Subject[]): string {
  const { urn } = resource;
  const olds = former.map((each) => each.resource.urn);
  const names = olds.map(quoted).join(" and ");
  const deed = heard.adopts === undefined ? "is to be created under" : "is to take over what has";
  const aliases = olds.map((old) => `aliases: [${aliasOf(urn, old)}]`).join(" or ");
  return said(
    urn,
    `${deed} the name "${escapeControls(String(news.name))}", which ${names} ${olds.length > 1 ? "have" : "has"} until everything is created, and ` +
      `which the program no longer declares. If it was renamed or moved, add the option ${aliases} to ${quoted(urn)}: nothing is created or ` +
      "deleted then. If not, give it another name",
  );
}

/** The same of listeners, which the up takes over: the old entry is then left, whatever its onDestroy says but "fail". */
export function renamingWarnings(listeners: readonly Subject[]): string[] {
  const identity = ({ computeType, computeId, connection }: Properties): string =>
    JSON.stringify([computeType, computeId, connection ?? null]);
  const known = ({ computeId }: Properties): boolean => ![SECRET, UNKNOWN].includes(String(computeId));
  const deleted = listeners.filter(({ resource }) => resource.fate === "delete");
  const created = listeners.filter(({ resource, news }) => resource.fate === "create" && known(news));
  return created.flatMap(({ resource: { urn }, news }) =>
    deleted
      .filter(({ olds }) => identity(olds) === identity(news))
      .map(({ resource: old, olds }) => {
        const end =
          olds.onDestroy === "fail" ? "whose onDestroy then fails the up" : "which is then left as it is";
        const words = `takes over the listener of ${quoted(old.urn)}, ${end}. If it was renamed or moved, add the option aliases: [${aliasOf(urn, old.urn)}]`;
        return said(urn, `${words} to ${quoted(urn)}: nothing is created or deleted then`);
      }),
  );
}

const quoted = (urn: string): string => `"${escapeControls(nameIn(urn))}"`;

/** The alias by which the engine finds the old entry, as one writes it in TypeScript. */
export function aliasOf(urn: string, old: string): string {
  const [parents, formerParents] = [urn, old].map(parentTypesIn);
  const name = [
    ...(nameIn(urn) === nameIn(old) ? [] : [`name: ${JSON.stringify(nameIn(old))}`]),
    // Of the dynamic form, where it moves to the plugin's.
    ...(typeIn(urn) === typeIn(old) ? [] : [`type: ${JSON.stringify(typeIn(old))}`]),
  ];
  if (parents === formerParents) return `{ ${name.join(", ")} }`;
  // Another parent than the stack is known by its type alone.
  if (formerParents !== "") return JSON.stringify(old);
  return `{ ${[...name, "parent: pulumi.rootStackResource"].join(", ")} }`;
}

/** `app:index:Team$`, empty below the stack itself. */
function parentTypesIn(urn: string): string {
  const types = typesIn(urn);
  return types.slice(0, types.lastIndexOf("$") + 1);
}

const said = (urn: string, words: string): string => String(labelled(labelIn(urn), words));
