/** Reads the plan that the provider's `check` records with the inputs, as a preview's JSON shows it. */
import { z } from "zod";
import type { RecordedPlan } from "../../../provider/diff/recorded";
import { PLAN } from "../../../provider/engine/schema";
import { valueAt } from "../../../provider/schema/value";
import type { EngineState } from "./preview";

const effect = z.enum(["replace", "newRevision", "mayRevise", "inPlace", "kept"]);

const changeSchema = z.looseObject({
  /** A path such as `sourceRevisionConfig.imageUri` or `secrets.OPENAI_API_KEY`. */
  path: z.string(),
  effect,
  /** Absent if the argument was not set. */
  before: z.unknown().optional(),
  /** Absent if the argument is no longer set. */
  after: z.unknown().optional(),
  hidden: z.literal(true).optional(),
  unknown: z.literal(true).optional(),
  moves: z.literal(true).optional(),
});

/** The input `__plan` of a resource. */
const planSchema = z.looseObject({
  version: z.literal(1),
  number: z.number(),
  profile: z.union([z.string(), z.looseObject({ name: z.string() })]),
  service: z.string(),
  verdict: z.enum(["create", "replace", "mayReplace", "newRevision", "mayRevise", "inPlace", "unchanged"]),
  adopts: z.string().optional(),
  changes: z.array(changeSchema),
});

/** Returns undefined if the inputs have no plan, or if the plan's version is unknown. */
export function planIn(state: EngineState | undefined): RecordedPlan | undefined {
  const { success, data } = planSchema.safeParse(valueAt(state?.inputs, [PLAN]));
  return success ? (data as RecordedPlan) : undefined;
}

/** The plan in the old inputs of a resource, and the plan in its new inputs. */
export interface Plans {
  readonly before: RecordedPlan | undefined;
  readonly after: RecordedPlan | undefined;
}

/** Returns undefined if the new inputs only repeat an earlier plan. A replacement always has a new plan. */
export const newPlanOf = (fate: string, { before, after }: Plans): RecordedPlan | undefined =>
  fate !== "replace" && after?.number === before?.number ? undefined : after;
