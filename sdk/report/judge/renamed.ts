/**
 * A deployment that was renamed in the program, or moved between parents, without an alias: the engine plans a creation
 * and a deletion of one deployment. Only the steps of the whole preview show that: no provider sees both.
 */
import { plain } from "../../../provider/fields/words";
import { labelled } from "../../../provider/verdict/sentences";
import { SECRET, UNKNOWN_VALUE } from "../model";
import { labelIn } from "../read/heard";
import { nameIn } from "../read/resources";
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
  if (typeof name !== "string" || name === SECRET || name === UNKNOWN_VALUE) return false;
  return name === olds.name && (news.connection ?? null) === (olds.connection ?? null);
}

function refusal({ resource, news, heard }: Subject, former: readonly Subject[]): string {
  const { urn } = resource;
  const olds = former.map((each) => each.resource.urn);
  const names = olds.map((old) => `"${plain(nameIn(old))}"`).join(" and ");
  const deed = heard.adopts === undefined ? "is to be created under" : "is to take over what has";
  const aliases = olds.map((old) => `aliases: [${aliasOf(urn, old)}]`).join(" or ");
  return labelled(
    labelIn(urn),
    `${deed} the name "${plain(String(news.name))}", which ${names} ${olds.length > 1 ? "have" : "has"} until everything is created, and ` +
      `which the program no longer declares. If it was renamed or moved, add the option ${aliases} to "${plain(nameIn(urn))}": nothing is created or ` +
      "deleted then. If not, give it another name",
  );
}

/** The alias by which the engine finds the old entry, as one writes it in TypeScript. */
export function aliasOf(urn: string, old: string): string {
  const [parents, formerParents] = [urn, old].map(parentTypesIn);
  const name = nameIn(urn) === nameIn(old) ? [] : [`name: ${JSON.stringify(nameIn(old))}`];
  if (parents === formerParents) return `{ ${name} }`;
  // Another parent than the stack is known by its type alone.
  if (formerParents !== "") return JSON.stringify(old);
  return `{ ${[...name, "parent: pulumi.rootStackResource"].join(", ")} }`;
}

/** `app:index:Team$`, empty below the stack itself. */
function parentTypesIn(urn: string): string {
  const types = urn.split("::")[2] ?? "";
  return types.slice(0, types.lastIndexOf("$") + 1);
}
