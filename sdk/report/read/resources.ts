/** Merges the steps of a preview by resource, and finds which resources depend on which. */

import { isLost } from "../../../provider/deployment/record";
import { nameIn, resourceOfType, stackOf, typeIn } from "../../../provider/schema/naming";
import { entryNamed, hasUnknown, propertiesIn, valueAt } from "../../../provider/schema/value";
import { compareTexts, escapeControls } from "../../../provider/schema/words";
import type { Dependent } from "../model";
import { recordedOf } from "./hidden";
import { OPERATIONS, type OperationMeaning } from "./operations";
import { type Plans, planIn } from "./plan";
import type { EngineState, EngineStep, Preview } from "./preview";

export interface PlannedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly fate: OperationMeaning;
  /** Whether the engine planned without the provider, because the provider's settings are unknown before the apply. */
  readonly isUnplanned: boolean;
  /** The id from the option `import`. The engine imports the resource with this id before other steps. */
  readonly imports: string | undefined;
  /** Whether the engine replaces the resource along with a dependency or by force, regardless of its arguments. */
  readonly isReplacedAnyway: boolean;
  /** Whether a person forces the replacement, with `--replace` or by tainting the resource. */
  readonly isForced: boolean;
  /** An operation of the engine that `OPERATIONS` lacks, because the engine's version differs; otherwise undefined. */
  readonly unknownOperation: string | undefined;
  readonly before: EngineState | undefined;
  readonly after: EngineState | undefined;
  readonly plans: Plans;
  /** Old resources from earlier replacements, which the plan deletes in addition to its change of this resource. */
  readonly leftovers: readonly EngineState[];
}

/** The meanings of steps, in order of precedence. A resource with several steps has the first of their meanings. */
const WEIGHT: readonly OperationMeaning[] = [
  "replace",
  "create",
  "update",
  "delete",
  "import",
  "same",
  "leftover",
  "read",
];

/** A resource whose recorded plans are not read yet. */
type Unplanned = Omit<PlannedResource, "plans">;

/** The planned resources, in the order of their first steps. */
export function resourcesOf({ steps }: Pick<Preview, "steps">): PlannedResource[] {
  const resources = new Map<string, Unplanned>();
  const unsettledUrns = new Set(steps.filter(isUnsettledProvider).map(({ urn }) => urn));
  for (const step of steps) {
    const earlier = resources.get(step.urn);
    const stepResource = resourceOf(step);
    const isUnplanned = stepResource.after !== undefined && unsettledUrns.has(providerUrnOf(stepResource));
    const resource = { ...stepResource, isUnplanned };
    resources.set(step.urn, earlier === undefined ? resource : merge(earlier, resource));
  }
  return [...resources.values()].map((resource) => {
    const { fate, before, after } = resource;
    return {
      ...resource,
      // Leaves out the resource itself, and this plan's old resource.
      leftovers: resource.leftovers.filter(({ id }) => fate !== "leftover" && id !== before?.id),
      plans: { before: planIn(before), after: planIn(after) },
    };
  });
}

const isUnsettledProvider = ({ urn, newState }: EngineStep): boolean =>
  typeIn(urn).startsWith("pulumi:providers:") && hasUnknown(newState?.inputs);

/** The URN of the resource's provider, from the state's reference (a URN and an id); empty without a reference. */
export const providerUrnOf = ({ after, before }: Unplanned): string =>
  (after ?? before)?.provider?.replace(/::[^:]*$/, "") ?? "";

/**
 * A resource that the program previously only read counts as created, because the stack did not manage the resource.
 */
function fateOf({ op, oldState }: EngineStep): OperationMeaning | undefined {
  const fate = entryNamed(OPERATIONS, op);
  return fate === "replace" && oldState?.external ? "create" : fate;
}

const isForced = ({ replaceReasons }: EngineStep): boolean => String(replaceReasons) === "id";

function resourceOf(step: EngineStep): Unplanned {
  const fate = fateOf(step);
  return {
    urn: step.urn,
    type: typeIn(step.urn),
    name: nameIn(step.urn),
    fate: fate ?? "update",
    isUnplanned: false,
    imports: fate === "import" ? step.newState?.importID : undefined,
    isReplacedAnyway: fate === "replace" && (!step.replaceReasons?.length || isForced(step)),
    isForced: fate === "replace" && isForced(step),
    unknownOperation: fate === undefined ? step.op : undefined,
    before: (fate === "create" ? undefined : step.oldState) ?? undefined,
    after: step.newState ?? undefined,
    leftovers: step.op === "delete-replaced" && step.oldState ? [step.oldState] : [],
  };
}

/** A refresh adds a step ahead of the plan's step, so the later step counts if both steps have the same weight. */
function merge(earlier: Unplanned, later: Unplanned): Unplanned {
  const [main, minor] =
    WEIGHT.indexOf(later.fate) <= WEIGHT.indexOf(earlier.fate) ? [later, earlier] : [earlier, later];
  const isStateOfLeftover = minor.fate === "leftover" && main.fate !== "replace";
  return {
    ...main,
    // If a dependency's replacement caused this replacement, perhaps only one of the two steps shows the cause.
    isReplacedAnyway: main.isReplacedAnyway || minor.isReplacedAnyway,
    imports: main.imports ?? minor.imports,
    unknownOperation: main.unknownOperation ?? minor.unknownOperation,
    // A leftover and a resource that is gone are old resources, so their states are not this resource's earlier state.
    before: main.before ?? (isStateOfLeftover || main.fate === "create" ? undefined : minor.before),
    after: main.after ?? minor.after,
    leftovers: [...earlier.leftovers, ...later.leftovers],
  };
}

/** The preview's `project/stack`; undefined if the preview has no URN. */
export function stackIn({ steps, diagnostics }: Preview): string | undefined {
  const urns = [...steps, ...diagnostics].map(({ urn = "" }) => urn);
  return stackOf(urns.find((urn) => urn.startsWith("urn:pulumi:")) ?? "");
}

/** Maps each resource's URN to the changing resources that take inputs from that resource, sorted by name. */
export function dependentsIn(resources: readonly PlannedResource[]): ReadonlyMap<string, Dependent[]> {
  const dependents = new Map<string, Dependent[]>();
  for (const { urn, name, type, fate, before, after } of resources) {
    if (fate === "same" || fate === "read") continue;
    const dependent = { urn, name, type, op: fate === "leftover" ? "delete" : fate };
    const sources = Object.values((after ?? before)?.propertyDependencies ?? {});
    for (const source of new Set(sources.flatMap((urns) => urns ?? [])))
      dependents.set(source, [...(dependents.get(source) ?? []), dependent]);
  }
  for (const each of dependents.values()) each.sort((one, other) => compareTexts(one.name, other.name));
  return dependents;
}

/** The failed revisions that a Rollout has recorded; empty for any other resource. */
export function failuresIn({ urn, fate, before }: Pick<PlannedResource, "urn" | "fate" | "before">) {
  if (resourceOfType(typeIn(urn)) !== "Rollout" || fate === "delete") return [];
  const { revisions, statuses } = recordedOf(before);
  const label = `rollout "${escapeControls(nameIn(urn))}"`;
  return Object.entries(propertiesIn(statuses)).flatMap(([name, status]) => {
    if (typeof status !== "string" || !isLost(status)) return [];
    const revision = valueAt(revisions, [name]);
    return [
      { revision, words: `${label}: revision ${revision} of "${escapeControls(name)}" ended ${status}` },
    ];
  });
}
