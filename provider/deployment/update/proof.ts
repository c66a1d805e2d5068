/** The proof: what the plan said, held against what the service did. */

import type { Properties } from "../../fields/value";
import { hiddenIn } from "../../host/carried";
import { touchesRevision } from "../../verdict/changes";
import { describeChanges } from "../../verdict/describe";
import type { Plan } from "../plan";
import { type Operation, tell, warn } from "../rollout/await";
import type { Made } from "./attribution";

/** After the apply, the plan is held against what the service did. A difference is a fault of the table of classes. */
export async function proveThePlan(
  operation: Operation,
  olds: Properties,
  plan: Plan,
  made: Made,
  resource: Properties,
): Promise<void> {
  const { session, inputs, service } = operation;
  const revision = `revision ${resource.latest_revision_id}`;
  const predicted = plan.verdict === "newRevision" ? true : plan.verdict === "mayRevise" ? undefined : false;
  if (made.made === undefined) return;
  if (predicted === undefined) {
    return tell(
      session,
      inputs,
      made.made
        ? `this update did create a new revision: ${resource.latest_revision_id}`
        : "this update created no new revision",
    );
  }
  if (predicted === made.made) {
    return tell(
      session,
      inputs,
      made.made
        ? `as planned, a new revision: ${resource.latest_revision_id}`
        : `as planned, no new revision (${revision} stays)`,
    );
  }
  const fields = describeChanges(
    predicted ? plan.changes.filter(touchesRevision) : plan.changes,
    hiddenIn(olds, inputs),
  );
  await warn(
    session,
    inputs,
    `NOT as planned: the plan said ${predicted ? "a new revision, but this update created none" : `no new revision, but this update created ${revision}`} (${fields}). ` +
      `The change class of these fields in profile "${service.connection.profile.name}" does not fit this service; ` +
      `correct it with profileOverrides.classes, e.g. {"classes": {"${plan.changes[0]?.path ?? ""}": "${predicted ? "inPlace" : "newRevision"}"}}`,
  );
}
