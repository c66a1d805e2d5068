/**
 * What becomes of the one on the service that a plan gives up, because it is removed or replaced.
 *
 * Options decide that beside the provider, those of parents and transformations too. Neither the program nor the provider
 * can see them all; the steps of a preview have them as the engine will use them, those of the recorded state.
 */
import type { DestroyPolicy } from "../../../provider/deployment/plan";
import { nameIn } from "../../../provider/fields/urn";
import { escapeControls } from "../../../provider/fields/words";
import type { Fate } from "../model";
import type { State } from "../read/preview";
import type { PlannedResource } from "../read/resources";

export interface Ending {
  readonly fate: Fate;
  /** What decides; `service`: onDestroy, as far as the service can delete. */
  readonly by: "service" | "protect" | "retainOnDelete" | "deletedWith";
  /** Of a replacement: whether the engine has the old one deleted before the new one is made. */
  readonly isFirst: boolean;
  /** URN of what its deletion is left to. */
  readonly deletedWith: string | undefined;
  /** Why the up fails although the preview passed, and what to do. */
  readonly refusal?: string;
}

interface GivenUp {
  readonly before: State | undefined;
  /** Of a replacement. */
  readonly after: State | undefined;
  readonly isReplaced: boolean;
  readonly policy: DestroyPolicy;
  /** Whether the service can delete. */
  readonly canDelete: boolean;
  /** URNs of what the engine deletes at the end of the up. */
  readonly deletions: ReadonlySet<string>;
}

export function endingOf({ before, after, isReplaced, policy, canDelete, deletions }: GivenUp): Ending {
  const isFirst = isReplaced && before?.delete !== true;
  const deletedWith = before?.deletedWith ?? undefined;
  const as = (fate: Fate, by: Ending["by"] = "service"): Ending => ({ fate, by, isFirst, deletedWith });
  if (before?.protect === true && (!isReplaced || after?.protect === true)) return as("refused", "protect");
  // The provider is asked about a replacement before the engine looks at its options, about a removal after that.
  if (policy === "fail" && isReplaced) return as("refused");
  if (before?.retainOnDelete === true) return as("retained", "retainOnDelete");
  // What goes first is deleted before the engine comes to what it would go with.
  if (!isFirst && deletedWith !== undefined && deletions.has(deletedWith))
    return as("retained", "deletedWith");
  if (policy === "fail") return as("refused");
  return as(policy === "delete" && canDelete ? "deleted" : "retained");
}

/** URNs of what the engine deletes at the end of the up, old ones of replacements among it. */
export function deletionsIn(resources: readonly PlannedResource[]): Set<string> {
  const deleted = ({ fate, before, leftovers }: PlannedResource): boolean =>
    leftovers.length > 0 ||
    fate === "delete" ||
    fate === "leftover" ||
    (fate === "replace" && before?.delete === true);
  return new Set(resources.filter(deleted).map(({ urn }) => urn));
}

/** The ending of one that is replaced under its own name: where it stays until then, its successor meets it. */
export function underItsName(ending: Ending, name: string): Ending {
  const { fate, by, isFirst } = ending;
  if (fate === "refused" || (fate === "deleted" && isFirst)) return ending;
  const [why, cure] =
    by === "retainOnDelete"
      ? [
          "an option keeps the old one on the service: retainOnDelete, of its own, of a parent or of a transformation",
          ", or run an up before that takes nothing but the option away",
        ]
      : isFirst
        ? ["the old one stays on the service", ""]
        : [
            "the old one is still there: deleteBeforeReplace is false, in its own options or by a transformation",
            ", or take the option away",
          ];
  const refusal =
    `keeps the name "${escapeControls(name)}" when it is replaced, but ${why}. The new one would meet it, so every up ` +
    `fails. Change name too${cure}`;
  return { ...ending, fate: "refused", refusal };
}

/** The warning of an ending. `stays`: what is said of one that stays. */
export function endingWords(ending: Ending, old: string, stays: string): string {
  const { fate, by, isFirst, deletedWith, refusal } = ending;
  if (refusal !== undefined) return refusal;
  if (by === "deletedWith")
    return (
      `${old} is not deleted by this up: its option deletedWith leaves that to the deletion of ` +
      `"${escapeControls(nameIn(deletedWith ?? ""))}". Unless that takes it along, it ${stays}`
    );
  if (by === "protect") return "its option protect forbids this: the up will refuse it";
  if (fate === "refused") return `onDestroy is "fail": the up will refuse this`;
  if (fate === "retained") return `${old} ${stays}`;
  const first = isFirst ? ", before the new one is created: it is down meanwhile" : "";
  return `${old} is deleted on the service${first}`;
}
