/** Permits or refuses the requests that update or delete a deployment. */
import type { Call } from "../call";
import type { Road } from "../run/door";
import { forbiddenBy } from "./arguments";
import { revises } from "./plan";
import type { Update } from "./request";

/** Permits the update. Throws a RefusedError if it may make a revision that is forbidden or that no plan announced. */
export function permitUpdate(update: Update): void {
  const { call, id, inputs } = update;
  const { door, planned } = call.run;
  const isInPlace = !revises(update);
  const road = roadOf(update);
  const roadWords = road === "adoption" ? "the update after its take-over" : `the ${road}`;
  const forbidden = isInPlace ? undefined : forbiddenBy(inputs, call.service.connection.newRevisions);
  if (forbidden !== undefined)
    throw call.refuse(
      `${forbidden}, but ${roadWords} may make a revision. Set newRevisions to "allow" for this run`,
    );
  // The program itself asks for a restore, so the plan need not announce the restore.
  const verdict = isInPlace || road === "restore" ? undefined : planned.get(call.urn)?.verdict;
  if (verdict === "unchanged" || verdict === "inPlace")
    throw call.refuse(
      `${roadWords} may make a revision, but its plan announced none. Run \`pulumi up\` again, which plans it anew`,
    );
  door.permit(road, id, isInPlace ? ["revise"] : []);
}

function roadOf({ call, purpose, rollout }: Update): Road {
  if (purpose === "restore") return "restore";
  if (call.method === "create") return "adoption";
  return rollout === "remake" ? "remake" : "update";
}

/** Permits the deletion. Throws a RefusedError if a resource of the program has claimed the deployment. */
export function permitDeletion(call: Call, id: string): void {
  if (call.service.fleet.keepers.of(id) !== undefined)
    throw call.refuse(`does not delete ${id}, because a resource of the program has just taken it over`);
  call.run.door.permit("deletion", id);
}
