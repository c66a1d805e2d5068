/** Compares an update's plan with what the service did. */
import { touchesRevision } from "../../diff/changes";
import { correctionOf, describeChanges } from "../../diff/describe";
import { format } from "../../diff/sentences";
import { PROFILES } from "../../profiles/profiles";
import { planUpdate } from "../plan";
import { isEmpty, type Update } from "../request";
import type { NewRevision } from "./arrival";

/** Reports whether the service did what the plan said. If not, the profile's table of change classes is wrong. */
export async function proveThePlan(update: Update, newRevision: NewRevision): Promise<void> {
  const { call, verdict } = update;
  if (newRevision === undefined) return;
  const id = newRevision ? newRevision.id : update.state.latestRevisionId;
  const predicted = verdict === "newRevision";
  if (verdict !== "mayRevise" && predicted !== (newRevision !== false))
    return call.warn(refutation(update, predicted, id));
  if (verdict === "mayRevise")
    return call.tell(newRevision ? format.didRevise({ id }) : format.didNotRevise());
  return call.tell(format[newRevision ? asPlanned(update) : "noRevisionAsPlanned"]({ id }));
}

const asPlanned = ({ patch, revision }: Update) =>
  isEmpty(patch) || isEmpty(revision) ? "revisionAsPlanned" : "partsAsPlanned";

function refutation(update: Update, predicted: boolean, id: unknown) {
  const { call, changes } = update;
  const fields = describeChanges(predicted ? changes.filter(touchesRevision) : changes, call.hidden);
  const rightClass = predicted ? "inPlace" : "newRevision";
  const fitting = profileWith(rightClass, update);
  const advice = correctionOf(call.profile.name, changes[0]?.path ?? "", rightClass, fitting);
  return predicted
    ? format.revisionMissing({ fields, advice })
    : format.revisionUnplanned({ id, fields, advice });
}

/** The name of a different profile under which the update's plan would have the verdict `verdict`. */
const profileWith = (verdict: "inPlace" | "newRevision", { call, state, inputs }: Update) =>
  Object.entries(PROFILES).find(
    ([name, profile]) => name !== call.profile.name && planUpdate(state, inputs, profile).verdict === verdict,
  )?.[0];
