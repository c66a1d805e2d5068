/** Reads from the states of Rollouts which revisions failed, because a deployment that did not wait does not know it. */
import { isLost } from "../../../provider/deployment/record";
import { nameIn, resourceOfType, typeIn } from "../../../provider/schema/naming";
import { propertiesIn, valueAt } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import { recordedOf } from "./hidden";
import type { PlannedResource } from "./resources";

/** The failed revisions that the Rollout has recorded, in words; empty for any other resource. */
export function failuresIn({
  urn,
  fate,
  before,
}: Pick<PlannedResource, "urn" | "fate" | "before">): string[] {
  if (resourceOfType(typeIn(urn)) !== "Rollout" || fate === "delete") return [];
  const { revisions, statuses } = recordedOf(before);
  const label = `rollout "${escapeControls(nameIn(urn))}"`;
  return Object.entries(propertiesIn(statuses)).flatMap(([name, status]) =>
    typeof status === "string" && isLost(status)
      ? [`${label}: revision ${valueAt(revisions, [name])} of "${escapeControls(name)}" ended ${status}`]
      : [],
  );
}
