/** Whether a creation of this program made a deployment of the service. */
import type { Call } from "../../call";
import { holds } from "../../fields/compare";
import { deploymentRows } from "../../fields/deployment";
import { isProperties, type Properties } from "../../fields/value";
import { rowsToWire } from "../../fields/wire";
import type { Intent, Moment } from "../../journal/entry";
import { MEMORY_MS } from "../../journal/madeIds";
import { whenMade } from "../../journal/moment";
import type { Profile } from "../../profiles/profiles";
import { shownSecrets } from "../state";

/** Why it is not proven that the creation made the deployment; undefined if it is proven. */
export async function whyNotOurs(
  call: Call,
  creation: Intent & Moment,
  resource: Properties,
): Promise<string | undefined> {
  const { creations } = call.run;
  if (await creations.isMadeElsewhere(creation, resource.id as string, creation.name))
    return "another stack on this machine has made it, or may just have";
  const time = whenMade(resource.created_at, creation, call.service.endpoints.clockAhead);
  if (time === undefined) return "it does not say when it was created";
  if (time === "before") return "it was created before the interrupted run asked for it";
  if (time === "after") return "it was created after the interrupted run's request could still arrive";
  if (call.run.clock.now() - creation.sentAt > MEMORY_MS) return "the interrupted run is too long ago";
  return whyNotAsSent(creation, resource, call.profile);
}

function whyNotAsSent(creation: Intent, resource: Properties, profile: Profile): string | undefined {
  const wire = rowsToWire(deploymentRows, creation.sent, profile);
  const differs = Object.keys(wire).find((name) => !holds(resource[name], wire[name]));
  if (differs !== undefined) return `its ${differs} is not what the interrupted run sent`;
  return sameNames(creation.secretNames, resource, profile)
    ? undefined
    : "its secrets are not those that the interrupted run sent";
}

/** A service that names no secrets hides them. */
function sameNames(secretNames: readonly string[], resource: Properties, profile: Profile): boolean {
  const live = shownSecrets(resource, profile);
  if (!isProperties(live)) return true;
  const names = Object.keys(live).sort();
  return names.length === 0 || names.join("\n") === [...secretNames].sort().join("\n");
}
