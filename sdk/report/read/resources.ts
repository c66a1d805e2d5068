/** The steps of a preview by resource: what becomes of each, from as many steps as the engine takes for it. */
import { nameIn, stackOf, typeIn } from "../../../provider/fields/urn";
import { isProperties, type Properties, UNKNOWN } from "../../../provider/fields/value";
import { type Detail, detailsOf, recordedOf } from "./hidden";
import type { Preview, State, Step } from "./preview";

/** What becomes of a resource. `read`: only looked at. `leftover`: the old one of an earlier replacement goes. */
type Fate = "create" | "update" | "replace" | "delete" | "same" | "read" | "leftover";

export interface PlannedResource {
  readonly urn: string;
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  readonly fate: Fate;
  /** Whether it is replaced for no argument of its own: with what it depends on, or since somebody asked for it. */
  readonly isReplacedAnyway: boolean;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** What the engine itself says of each argument that changes; nothing in the dynamic form. */
  readonly details: readonly Detail[];
  /** Old ones of earlier replacements that go beside whatever else becomes of the resource. */
  readonly leftovers: readonly State[];
}

const FATES: { readonly [op: string]: Fate } = {
  same: "same",
  create: "create",
  import: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "import-replacement": "replace",
  "delete-replaced": "leftover",
  "discard-replaced": "leftover",
  "remove-pending-replace": "leftover",
  read: "read",
  "read-replacement": "read",
  "read-discard": "read",
  refresh: "read",
};

/** Of several steps for one resource, the one that says most. */
const WEIGHT: readonly Fate[] = ["replace", "create", "update", "delete", "same", "leftover", "read"];

/** The resources in the order of their first steps. */
export function resourcesOf(preview: Preview): PlannedResource[] {
  const resources = new Map<string, PlannedResource>();
  for (const step of preview.steps) {
    const known = resources.get(step.urn);
    const next = resourceOf(step);
    resources.set(step.urn, known === undefined ? next : joined(known, next));
  }
  return [...resources.values()].map(withOthersOnly);
}

/** The old one of a replacement goes with it, and a leftover alone is the resource itself. */
function withOthersOnly(resource: PlannedResource): PlannedResource {
  const { fate, before, leftovers } = resource;
  if (leftovers.length === 0) return resource;
  return { ...resource, leftovers: leftovers.filter(({ id }) => fate !== "leftover" && id !== before?.id) };
}

export function resourceOf(step: Step): PlannedResource {
  return {
    urn: step.urn,
    type: typeIn(step.urn),
    name: nameIn(step.urn),
    // An operation of a later engine: as something that needs a look.
    fate: FATES[step.op] ?? "update",
    isReplacedAnyway: FATES[step.op] === "replace" && !step.replaceReasons?.length,
    before: step.oldState ?? undefined,
    after: step.newState ?? undefined,
    details: detailsOf(step),
    leftovers: step.op === "delete-replaced" && step.oldState ? [step.oldState] : [],
  };
}

/** A refresh shows as a step of its own before the plan's: the later one of equal weight counts. */
function joined(known: PlannedResource, next: PlannedResource): PlannedResource {
  const [main, other] =
    WEIGHT.indexOf(next.fate) <= WEIGHT.indexOf(known.fate) ? [next, known] : [known, next];
  // What an old one was says nothing of the resource that goes on.
  const before =
    main.before ?? (other.fate === "leftover" && main.fate !== "replace" ? undefined : other.before);
  const leftovers = [...known.leftovers, ...next.leftovers];
  const details = main.details.length > 0 ? main.details : other.details;
  return { ...main, before, after: main.after ?? other.after, details, leftovers };
}

/** `project/stack`; undefined where no URN tells. */
export function stackIn({ steps, diagnostics }: Preview): string | undefined {
  const urns = [...steps, ...diagnostics].map(({ urn = "" }) => urn);
  return stackOf(urns.find((urn) => urn.startsWith("urn:pulumi:")) ?? "");
}

/**
 * The new inputs. Of a replacement the provider counts the generations of secrets from 1 again, so that they tell nothing
 * of a change: the recorded ones stand for them.
 */
export function newInputsOf({ fate, before, after }: PlannedResource): Properties {
  const inputs = recordedOf({ inputs: after?.inputs });
  const [olds, news] = [recordedOf(before).secretGenerations, inputs.secretGenerations];
  if (fate !== "replace" || !isProperties(olds) || !isProperties(news)) return inputs;
  const generations = Object.entries(news).map(([name, generation]) => [
    name,
    generation !== UNKNOWN && Object.hasOwn(olds, name) ? olds[name] : generation,
  ]);
  return { ...inputs, secretGenerations: Object.fromEntries(generations) };
}
