/** The proof: what the plan said, held against what the service did. */
import type { Properties } from "../../fields/value";
import { touchesRevision } from "../../verdict/changes";
import { describeChanges } from "../../verdict/describe";
import type { Made } from "./attribution";
import type { Update } from "./carryOut";

/** After the apply, the plan is held against what the service did. A difference is a fault of the table of classes. */
export async function proveThePlan(update: Update, { made }: Made, resource: Properties): Promise<void> {
  const { call, verdict } = update;
  if (made === undefined) return;
  const latest = resource.latest_revision_id;
  if (verdict === "mayRevise") {
    const words = made ? `did create a new revision: ${latest}` : "created no new revision";
    return call.tell(`this update ${words}`);
  }
  const predicted = verdict === "newRevision";
  if (predicted !== made) return call.warn(refutation(update, predicted, latest));
  return call.tell(
    made ? `as planned, a new revision: ${latest}` : `as planned, no new revision (revision ${latest} stays)`,
  );
}

function refutation({ call, changes }: Update, predicted: boolean, latest: unknown): string {
  const fields = describeChanges(predicted ? changes.filter(touchesRevision) : changes, call.hidden);
  const what = predicted
    ? "a new revision, but this update created none"
    : `no new revision, but this update created revision ${latest}`;
  const [path, right] = [changes[0]?.path ?? "", predicted ? "inPlace" : "newRevision"];
  return (
    `NOT as planned: the plan said ${what} (${fields}). ` +
    `The change class of these fields in profile "${call.profile.name}" does not fit this service; ` +
    `correct it with profileOverrides.classes, e.g. {"classes": {"${path}": "${right}"}}`
  );
}
