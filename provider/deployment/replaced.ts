/** Refuses some replacements that the engine forces. Warns about a replacement's effect on the old deployment. */
import type { Call } from "../call";
import type { Change } from "../diff/changes";
import { format } from "../diff/sentences";
import { FORCING_REPLACEMENT } from "../run/failureWords";
import type { PlannedUpdate } from "../run/planned";
import { isLeaving, type Plan } from "./plan";

/** Throws a RefusedError unless the old deployment, which has the same name, is deleted first. */
export async function replacedDeployment(call: Call, { id, deletesFirst }: PlannedUpdate): Promise<void> {
  if (!deletesFirst)
    throw call.refuse(
      `${format.replacedByEngine()}, but the old deployment still has the name. Change name too, or take the cause away: ${FORCING_REPLACEMENT}`,
    );
  if (id === undefined) return;
  call.service.fleet.keepers.release(id, call.urn);
  await call.warn(format.deletedFirst({ id }));
}

/** The warning that the old deployment `id` is down during the replacement, or that its name blocks the new one. */
export function meetingWords({ verdict, nameCollision, deletesFirst, changes }: Plan, id: string) {
  if (verdict !== "replace" && verdict !== "mayReplace") return undefined;
  if (nameCollision !== "perhaps") {
    if (!deletesFirst) return undefined;
    return nameCollision === "yes" ? format.deletedFirst({ id }) : format.deletedFirstByOption({ id });
  }
  return deletesFirst
    ? `${conditionOf(changes)}, the old deployment ${id} is deleted before the new one is created: it is down meanwhile`
    : `${conditionOf(changes)}, a new deployment needs a name that the old one (id ${id}) still has, and the update stops halfway. Change name too, unless nothing will be replaced`;
}

/** The condition under which the new deployment's name collides with the old deployment's name. */
function conditionOf(changes: readonly Change[]): string {
  const open = changes.filter(({ effect, unknown }) => effect === "replace" && unknown);
  const ends = open.map(({ path }) => `${path} turns out ${isLeaving(path) ? "the same" : "to be another"}`);
  return `if ${ends.join(" and ")}`;
}
