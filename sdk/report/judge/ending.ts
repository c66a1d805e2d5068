/**
 * Tells what happens on the service to a deployment that a plan removes or replaces.
 *
 * Both the provider and options decide that, and options also come from parents and transformations. Neither the program nor
 * the provider sees all of them, but the steps of a preview have the recorded options, which the engine will use.
 */
import type { DestroyPolicy } from "../../../provider/deployment/plan";
import { nameIn } from "../../../provider/fields/naming";
import { escapeControls } from "../../../provider/fields/words";
import type { Fate } from "../model";
import type { EngineState } from "../read/preview";
import type { PlannedResource } from "../read/resources";

export interface Ending {
  readonly fate: Fate;
  /** The option that decides; `service`: no option does, but onDestroy and what the service can delete. */
  readonly by: "service" | "protect" | "retainOnDelete" | "deletedWith" | "taker";
  /** Whether a replacement deletes the old one before creating the new one. */
  readonly isFirst: boolean;
  /** URN of the resource that the option deletedWith names. */
  readonly deletedWith: string | undefined;
  /** URN of the resource that takes the deployment over, and so keeps it from being deleted. */
  readonly taker: string | undefined;
  /** Why the up fails although the preview passed, and what to do. */
  readonly refusal?: string;
}

interface EndingFacts {
  readonly before: EngineState | undefined;
  /** Set for a replacement. */
  readonly after: EngineState | undefined;
  readonly isReplaced: boolean;
  readonly policy: DestroyPolicy;
  /** Whether the service can delete. */
  readonly canDelete: boolean;
  /** URNs of the resources that the engine deletes at the end of the up. */
  readonly deletions: ReadonlySet<string>;
  /** The resource that takes the deployment over. */
  readonly taker?: PlannedResource | undefined;
}

export function endingOf({
  before,
  after,
  isReplaced,
  policy,
  canDelete,
  deletions,
  taker,
}: EndingFacts): Ending {
  const isFirst = isReplaced && before?.delete !== true;
  const deletedWith = before?.deletedWith ?? undefined;
  const ending = (fate: Fate, by: Ending["by"] = "service"): Ending => ({
    fate,
    by,
    isFirst,
    deletedWith,
    taker: taker?.urn,
  });
  if (before?.protect === true && (!isReplaced || after?.protect === true))
    return ending("refused", "protect");
  // The engine asks the provider about a replacement before it looks at options, and about a removal afterwards.
  if (policy === "fail" && isReplaced) return ending("refused");
  if (before?.retainOnDelete === true) return ending("retained", "retainOnDelete");
  // If the old deployment is deleted first, the engine deletes it before it reaches the resource in deletedWith.
  if (!isFirst && deletedWith !== undefined && deletions.has(deletedWith))
    return ending("retained", "deletedWith");
  if (taker !== undefined && !isFirst) return ending("retained", "taker");
  if (policy === "fail") return ending("refused");
  return ending(policy === "delete" && canDelete ? "deleted" : "retained");
}

/** URNs of the resources that the engine deletes at the end of the up, including old resources of replacements. */
export function deletionsIn(resources: readonly PlannedResource[]): Set<string> {
  const isDeleted = ({ fate, before, leftovers }: PlannedResource): boolean =>
    leftovers.length > 0 ||
    fate === "delete" ||
    fate === "leftover" ||
    (fate === "replace" && before?.delete === true);
  return new Set(resources.filter(isDeleted).map(({ urn }) => urn));
}

/** How to avoid a replacement that a person has forced; empty if it was not forced. */
function wayOutOf({ urn, isForced }: Pick<PlannedResource, "urn" | "isForced">): string {
  return isForced ? `, or leave --replace out, or run: pulumi state untaint '${urn}'` : "";
}

/**
 * The ending of a deployment that is replaced under its own name. If it still exists then, its successor collides with
 * it.
 */
export function endingUnderSameName(
  ending: Ending,
  name: string,
  resource: Pick<PlannedResource, "urn" | "isForced">,
): Ending {
  const { fate, by, isFirst } = ending;
  if (fate === "refused" || (fate === "deleted" && isFirst)) return ending;
  const [why, remedy] =
    by === "retainOnDelete"
      ? [
          "an option keeps the old one on the service: retainOnDelete, of its own, of a parent or of a transformation",
          ", or run an up before that takes nothing but the option away",
        ]
      : isFirst
        ? ["the old one stays on the service", ""]
        : resource.isForced
          ? ["the old one goes only afterwards", ", or give it the option deleteBeforeReplace"]
          : [
              "the old one is still there: deleteBeforeReplace is false, in its own options or by a transformation",
              ", or take the option away",
            ];
  const refusal =
    `keeps the name "${escapeControls(name)}" when it is replaced, but ${why}. The new one would meet it, so every up ` +
    `fails. Change name too${remedy}${wayOutOf(resource)}`;
  return { ...ending, fate: "refused", refusal };
}

/**
 * The ending of a replacement that is refused only in the up: a replacement of what the option `import` takes over, or
 * one whose new resource is the old one. `adopts`: the id that the provider's line says it takes over.
 */
export function foreseen(ending: Ending, resource: PlannedResource, adopts: string | undefined): Ending {
  if (resource.fate !== "replace" || ending.fate === "refused") return ending;
  const refusal = foreseenRefusal(resource, adopts);
  return refusal === undefined ? ending : { ...ending, fate: "refused", refusal };
}

function foreseenRefusal(resource: PlannedResource, adopts: string | undefined): string | undefined {
  if (resource.imports !== undefined)
    return "is imported by its option import and replaced in the same up, which the engine refuses, so every up fails. Give the arguments that it has on the service, and change them in a later up";
  if (adopts === undefined || adopts !== resource.before?.id) return undefined;
  return `would be replaced by itself: the new one would be ${escapeControls(adopts)} too, so the up fails. Change an argument that identifies it${wayOutOf(resource)}`;
}

/** The warning about an ending. `stays` is the predicate for a deployment that stays. */
export function endingWords(ending: Ending, old: string, stays: string): string {
  const { fate, by, isFirst, deletedWith, taker, refusal } = ending;
  if (refusal !== undefined) return refusal;
  if (by === "deletedWith")
    return (
      `${old} is not deleted by this up: its option deletedWith leaves that to the deletion of ` +
      `"${escapeControls(nameIn(deletedWith ?? ""))}". Unless that takes it along, it ${stays}`
    );
  if (by === "taker") return `${old} stays: "${escapeControls(nameIn(taker ?? ""))}" takes it over`;
  if (by === "protect") return "its option protect forbids this: the up will refuse it";
  if (fate === "refused") return `onDestroy is "fail": the up will refuse this`;
  if (fate === "retained") return `${old} ${stays}`;
  const first = isFirst ? ", before the new one is created: it is down meanwhile" : "";
  return `${old} is deleted on the service${first}`;
}
