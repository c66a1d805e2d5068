/** The proof: what the plan said, held against what the service did. */
import type { Properties } from "../../fields/value";
import { touchesRevision } from "../../verdict/changes";
import { describeChanges } from "../../verdict/describe";
import { say } from "../../verdict/sentences";
import type { Made } from "./attribution";
import type { Update } from "./plannedUpdate";

/** After the apply, the plan is held against what the service did. A difference is a fault of the table of classes. */
export async function proveThePlan(update: Update, { made }: Made, resource: Properties): Promise<void> {
  const { call, verdict } = update;
  if (made === undefined) return;
  const id = resource.latest_revision_id;
  if (verdict === "mayRevise") return call.tell(made ? say.didRevise({ id }) : say.didNotRevise());
  const predicted = verdict === "newRevision";
  if (predicted !== made) return call.warn(refutation(update, predicted, id));
  return call.tell(made ? say.revisionAsPlanned({ id }) : say.noRevisionAsPlanned({ id }));
}

function refutation({ call, changes }: Update, predicted: boolean, id: unknown): string {
  const fields = describeChanges(predicted ? changes.filter(touchesRevision) : changes, call.hidden);
  const [path, right] = [changes[0]?.path ?? "", predicted ? "inPlace" : "newRevision"];
  const advice =
    `The change class of these fields in profile "${call.profile.name}" does not fit this service; ` +
    `correct it with profileOverrides.classes, e.g. {"classes": {"${path}": "${right}"}}`;
  return predicted ? say.revisionMissing({ fields, advice }) : say.revisionUnplanned({ id, fields, advice });
}
