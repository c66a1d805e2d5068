/**
 * Predicts what happens to a resource that a plan removes or replaces: the service keeps or deletes it, or the update
 * fails. The provider and the resource's options decide the outcome. Only a preview's steps have all recorded options.
 */
import { type DestroyPolicy, onDestroyOf } from "../../../provider/deployment/plan";
import type { Profile } from "../../../provider/profiles/profiles";
import { sameValue } from "../../../provider/schema/compare";
import { nameIn } from "../../../provider/schema/naming";
import { UNKNOWN } from "../../../provider/schema/value";
import { escapeControls } from "../../../provider/schema/words";
import type { Fate } from "../model";
import { recordedOf, recordsRetainOnDelete } from "../read/hidden";
import type { EngineState } from "../read/preview";
import type { PlannedResource } from "../read/resources";
import { adoptedBy, type Evaluation, type Subject } from "./case";

export interface Ending {
  readonly fate: Fate;
  readonly warning: string;
  /** Why `pulumi up` fails although the preview passed, and what to do. */
  readonly refusal?: string;
  /** Whether the resource is deleted before its successor is created. */
  readonly isDown?: boolean;
  /** Whether the service deletes the resource under some of the possible profiles, but not under all. */
  readonly mayStay?: boolean;
}

interface Removal {
  readonly before: EngineState | undefined;
  readonly isReplaced: boolean;
  readonly policy: DestroyPolicy;
  /** Whether the service can delete resources of this type. */
  readonly canDelete: boolean;
  /** The resource that takes the deployment over. */
  readonly taker?: PlannedResource | undefined;
  /** The subject of the warning. */
  readonly old: string;
  /** The end of the warning, after its subject, if the service keeps the resource. */
  readonly stays: string;
}

function endingOf({ resource, deletions }: Subject, removal: Removal): Ending {
  const { before, isReplaced, policy, canDelete, taker, old, stays } = removal;
  const isFirst = isReplaced && before?.delete !== true;
  const deletedWith = before?.deletedWith ?? "";
  const refused: Ending = { fate: "refused", warning: 'onDestroy is "fail": the update will refuse this' };
  const retained: Ending = { fate: "retained", warning: `${old} ${stays}` };
  if (before?.protect === true && (!isReplaced || resource.after?.protect === true))
    return { ...refused, warning: "its option protect forbids this: the update will refuse it" };
  // For a replacement, the engine asks the provider first. For a removal, the engine looks at options first.
  if (policy === "fail" && isReplaced) return refused;
  if (taker !== undefined && !isFirst)
    return { ...retained, warning: `${old} stays: "${escapeControls(nameIn(taker.urn))}" takes it over` };
  if (before?.retainOnDelete === true) return retained;
  // An old deployment that is deleted first is gone before the engine reaches the resource in `deletedWith`.
  if (!isFirst && deletions.has(deletedWith)) {
    const other = escapeControls(nameIn(deletedWith));
    const warning = `${old} is not deleted by this update: its option deletedWith leaves that to the deletion of "${other}". Unless that deletion deletes it too, it ${stays}`;
    return { ...retained, warning };
  }
  if (policy === "fail") return refused;
  if (policy !== "delete" || !canDelete) return retained;
  const first = isFirst ? ", before the new one is created: it is down meanwhile" : "";
  return { fate: "deleted", warning: `${old} is deleted on the service${first}`, isDown: isFirst };
}

/** Predicts a deletion if the service deletes the resource under at least one possible profile. */
function worstEnding(subject: Subject, removalUnder: (profile: Profile) => Removal): Ending {
  const endings = subject
    .endingProfilesOf(subject.resource)
    .map((profile) => withUpRefusal(subject, endingOf(subject, removalUnder(profile)))) as [
    Ending,
    ...Ending[],
  ];
  const deletion = endings.find(({ fate }) => fate === "deleted");
  if (deletion === undefined || endings.every(({ fate }) => fate === "deleted")) return endings[0];
  const warning = `${deletion.warning}, or stays: the settings name another profile than its last update`;
  return { ...deletion, warning, mayStay: true };
}

const refusedWith = (refusal: string): Ending => ({ fate: "refused", warning: refusal, refusal });

const ifReplaced = (ending: Ending, otherwise: unknown): Ending =>
  otherwise === undefined ? ending : { ...ending, warning: `if it is replaced: ${ending.warning}` };

const STAYS = "stays on the service and keeps running; the program only forgets it";

/** Predicts what happens to the old deployment; undefined if the deployment stays in use. */
export function endOfDeployment(subject: Subject, evaluation: Evaluation): Ending | undefined {
  const { resource, adopterOf } = subject;
  const { before } = resource;
  const { verdict, otherwise } = evaluation;
  const isRemoved = verdict === "delete";
  if (!isRemoved && verdict !== "replace" && otherwise === undefined) return undefined;
  const id = escapeControls(before?.id ?? "");
  const old = `${isRemoved ? "the deployment" : "the old deployment"} ${id}`.trim();
  const adoptHint = isRemoved && id !== "" ? `. To manage it again, declare it with adopt: "${id}"` : "";
  const removalUnder = (profile: Profile): Removal => ({
    before,
    isReplaced: !isRemoved,
    policy: onDestroyOf(recordedOf(before), profile, recordsRetainOnDelete(before)),
    canDelete: profile.capabilities.deleteDeployment,
    taker: adopterOf(before?.id),
    old,
    stays: STAYS + adoptHint,
  });
  const ending = worstEnding(subject, removalUnder);
  // If the preview failed on the deployment, the provider has already refused the replacement.
  const collides = !isRemoved && !subject.hasFailed && keepsName(subject);
  const replaced = collides ? endingUnderSameName(subject, ending) : ending;
  // A replacement that is possible but not certain is no reason to refuse the plan.
  return otherwise === undefined ? replaced : ifReplaced({ ...ending, warning: replaced.warning }, otherwise);
}

/** Predicts what happens to the old listener; undefined if the plan neither deletes nor replaces the listener. */
export function endOfListener(subject: Subject, otherwise: unknown): Ending | undefined {
  const { resource, olds } = subject;
  const { fate, before } = resource;
  if (!["delete", "leftover", "replace"].includes(fate)) return undefined;
  const { onDestroy } = olds;
  const ending = worstEnding(subject, (profile) => ({
    before: fate === "leftover" ? { ...before, delete: true } : before,
    isReplaced: fate !== "delete",
    policy: onDestroy === "fail" || onDestroy === "delete" ? onDestroy : "retain",
    canDelete: profile.capabilities.deleteListener,
    old: `the listener ${before?.id ?? ""}`.trim(),
    stays: "stays on the service",
  }));
  return ifReplaced(ending, otherwise);
}

/** URNs of the resources that the engine deletes at the end of the update, including old resources of replacements. */
export function deletionsIn(resources: readonly PlannedResource[]): Set<string> {
  const isDeleted = ({ fate, before, leftovers }: PlannedResource): boolean =>
    leftovers.length > 0 ||
    fate === "delete" ||
    fate === "leftover" ||
    (fate === "replace" && before?.delete === true);
  return new Set(resources.filter(isDeleted).map(({ urn }) => urn));
}

/** How to avoid a replacement that a person has forced; empty if nobody forced the replacement. */
const wayOutOf = ({ urn, isForced }: PlannedResource): string =>
  isForced ? `, or leave --replace out, or run: pulumi state untaint '${urn}'` : "";

/** Whether the new deployment has, or may have, the old deployment's name on the same service. */
const keepsName = ({ resource, olds, news }: Subject): boolean =>
  sameValue(olds.connection, news.connection) &&
  (sameValue(olds.name, news.name) || (resource.isForced && news.name === UNKNOWN));

/**
 * Predicts what happens to a deployment whose replacement has the same name. Unless the old deployment is deleted
 * first, the names collide.
 */
function endingUnderSameName({ resource, olds, news }: Subject, ending: Ending): Ending {
  const { before } = resource;
  const isFirst = before?.delete !== true;
  if (ending.fate === "refused" || (ending.fate === "deleted" && isFirst)) return ending;
  const [why, remedy] =
    before?.retainOnDelete === true
      ? [
          "the option retainOnDelete keeps the old one on the service",
          ", or first run an update that only takes the option away",
        ]
      : isFirst
        ? ["the old one stays on the service", ""]
        : ["deleteBeforeReplace is false, so the old one is deleted only afterwards", ", or set that option"];
  const name = escapeControls(String(olds.name));
  return refusedWith(
    `${news.name === UNKNOWN ? "may keep" : "keeps"} the name "${name}" when it is replaced, but ${why}, so every update fails. Change name too${remedy}${wayOutOf(resource)}`,
  );
}

/**
 * Refuses a replacement that passes the preview but fails in `pulumi up`. The replacement fails if the resource is
 * also imported, or if the new resource would take over the old resource.
 */
function withUpRefusal(subject: Subject, ending: Ending): Ending {
  const { resource } = subject;
  const { fate, imports, before } = resource;
  const adopts = adoptedBy(subject);
  if (fate !== "replace" || ending.fate === "refused") return ending;
  if (imports !== undefined)
    return refusedWith(
      "is imported and replaced in the same update, which the engine refuses. Set the arguments that it has on the service, and change them in a later update",
    );
  if (adopts === undefined || adopts !== before?.id) return ending;
  return refusedWith(
    `would be replaced by itself: the new resource would adopt ${escapeControls(adopts)}, the old one, so the update fails. Change an argument that identifies it${wayOutOf(resource)}`,
  );
}
