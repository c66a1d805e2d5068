/**
 * Replacements: warnings about the old deployment, and refusals of replacements that the engine makes although no
 * argument asks for them. The engine announces its own replacements late or never, so the provider can only refuse
 * those that cannot work or are forbidden, and say what to do.
 */
import type { Call } from "../call";
import { hasUnknown, type Properties } from "../fields/value";
import { escapeControls } from "../fields/words";
import { REPLACING_OPTIONS } from "../run/failureWords";
import type { ShownState } from "../run/run";
import type { Change } from "../verdict/changes";
import { say } from "../verdict/sentences";
import { deletesOnDestroy, isLeaving, onDestroyOf, type Plan } from "./plan";

/**
 * Plans the engine's replacement like a replacement that the arguments ask for. Throws a RefusedError if the
 * replacement must not be carried out.
 */
export async function replacedDeployment(call: Call, old: ShownState, news: Properties): Promise<void> {
  const { id, values, retained } = old;
  const { profile, service } = call;
  if (id !== undefined) service.fleet.replaces(call.urn, id);
  if (onDestroyOf(values, profile, retained) === "fail")
    throw call.refuse(
      `${say.replacedByEngine()}, but onDestroy is "fail", which forbids it. Take the cause away (${REPLACING_OPTIONS}), or apply another onDestroy first`,
    );
  const deletes = deletesOnDestroy(values, profile, retained);
  const isFirst = deletes && (old.goesFirst || (id === undefined && call.deleteBeforeReplace === true));
  const keepsName =
    !hasUnknown(news.name) && news.name === values.name && call.run.staysOnService(values, news.connection);
  if (keepsName && !isFirst)
    throw call.refuse(`${say.replacedByEngine()}, but ${meeting(values.name, deletes)}`);
  await call.tell(lineOf(id, deletes));
  if (isFirst && keepsName && id !== undefined) await call.warn(say.deletedFirst({ id }));
}

function lineOf(id: string | undefined, deletes: boolean) {
  if (id === undefined) return say.replacedByEngine();
  return deletes ? say.replacedByEngineAndDeleted({ id }) : say.replacedByEngineAndKept({ id });
}

function meeting(name: unknown, deletes: boolean): string {
  const old = deletes ? "is deleted only afterwards" : "stays";
  return `keeps the name "${escapeControls(String(name))}": the new deployment needs the name of the old one, which ${old}. Change name too, or take the cause away: ${REPLACING_OPTIONS}`;
}

/** How to avoid a replacement that somebody forced. A provider does not learn that a replacement is forced. */
export function wayOutOfForce({ urn, profile }: Call): string {
  const first = profile.capabilities.deleteDeployment
    ? ', or have the old one deleted first (onDestroy "delete" and the option deleteBeforeReplace)'
    : "";
  return `If --replace or a taint asks for a new one, leave --replace out, or run: pulumi state untaint '${urn}'. To replace it all the same, change name too${first}`;
}

/**
 * The warning that the old deployment `id` is down during the replacement, or blocks the new deployment; undefined if
 * neither can happen.
 */
export function meetingWords({ verdict, meetsOld, deletesFirst, changes }: Plan, id: string) {
  if (verdict !== "replace" && verdict !== "mayReplace") return undefined;
  if (meetsOld !== "perhaps") {
    if (!deletesFirst) return undefined;
    return meetsOld === "yes" ? say.deletedFirst({ id }) : say.deletedFirstByOption({ id });
  }
  return deletesFirst
    ? `${conditionOf(changes)}, the old deployment ${id} is deleted before the new one is created: it is down meanwhile`
    : `${conditionOf(changes)}, a new deployment needs a name that the old one (id ${id}) still has, and the up stops halfway. Change name too, unless nothing will be replaced`;
}

/** The condition under which the new deployment's name collides with the old deployment's name. */
function conditionOf(changes: readonly Change[]): string {
  const open = changes.filter(({ effect, unknown }) => effect === "replace" && unknown);
  const ends = open.map(({ path }) => `${path} turns out ${isLeaving(path) ? "the same" : "to be another"}`);
  return `if ${ends.join(" and ")}`;
}
