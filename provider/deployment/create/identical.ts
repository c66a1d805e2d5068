/** Adoption of a deployment that is as the program would have made it. It sends nothing, so it refuses any other. */

import type { Call } from "../../call";
import { sourceConfigRows } from "../../fields/deployment";
import { canonicalId, type Properties, propertiesIn, valueAt } from "../../fields/value";
import { escapeControls } from "../../fields/words";
import type { Change } from "../../verdict/changes";
import { ALTERED, describeChanges, HELD } from "../../verdict/describe";
import { say } from "../../verdict/sentences";
import { alteredSecrets, type Live, listedIn, liveEnvironment } from "../live";
import { type Plan, planUpdate } from "../plan";
import { waits } from "../state";
import { variablesOf } from "../variables";

/** The adoption of the deployment as it is. Throws a RefusedError that names what the plan would change, if anything. */
export function identicalAdoption(
  call: Call,
  resource: Properties,
  { shown }: Live,
  { changes, news }: Plan,
) {
  const id = resource.id as string;
  const differences = changes
    .filter((change) => !isSameId(change))
    .map((change): Change => ({ ...change, effect: "inPlace" }));
  const certain = differences.filter(({ unknown }) => !unknown);
  if (certain.length > 0)
    throw call.refuse(
      `adopt: the deployment ${id} is not identical: ${describeChanges(certain, call.hidden)} (the service's value -> the program's). Give what it has; or set adopt to true, which changes it; or give another name`,
    );
  const plan = planUpdate({ ...news, ...unfinishedIn(resource, news) }, news, call.profile);
  return { id, resource, plan, identical: line(call, id, news, shown, differences) };
}

const ids = Object.entries(sourceConfigRows).flatMap(([name, { kind }]) =>
  kind.type === "uuid" ? [`sourceConfig.${name}`] : [],
);

/** Services write the letters of a UUID in lower case. */
const isSameId = ({ path, before, after }: Change): boolean =>
  ids.includes(path) && canonicalId(String(before)) === canonicalId(String(after));

/** The service's variables. A value that it does not show counts as the program's. */
export function comparableVariables(call: Call, inputs: Properties, live: Live): Properties {
  const { profile, service } = call;
  const { listed } = live;
  const isEmpty = Object.keys(listed).length === 0;
  const namesAny = (each: Properties) => Object.keys(listedIn(each, profile)).length > 0;
  // An empty list means that there are none if the service names those of another deployment.
  if (isEmpty && !profile.capabilities.showsSecretValues && !service.directory.listed.some(namesAny))
    return { secrets: inputs.secrets, environment: inputs.environment };
  const altered = alteredSecrets(inputs, live);
  const environment = isEmpty ? {} : liveEnvironment(inputs, live);
  const secrets = Object.keys(listed)
    .filter((name) => !Object.hasOwn(propertiesIn(environment), name))
    .map((name) => [name, altered.includes(name) ? ALTERED : (valueAt(inputs.secrets, [name]) ?? HELD)]);
  return { environment, secrets: Object.fromEntries(secrets) };
}

/** The note of a revision that the deployment's maker may not have waited for. */
function unfinishedIn(resource: Properties, inputs: Properties): Properties {
  const { latest_revision_id: latest, active_revision_id: active } = resource;
  return typeof latest === "string" && latest !== active && waits(inputs)
    ? { rolloutState: "unfinished", latestRevisionId: latest }
    : {};
}

/** The preview's line. */
function line(call: Call, id: string, inputs: Properties, shown: Properties, doubts: readonly Change[]) {
  if (doubts.length > 0) return say.adoptsIfIdentical({ id, reasons: describeChanges(doubts, call.hidden) });
  const names = Object.keys(variablesOf(inputs) ?? {}).filter((name) => !Object.hasOwn(shown, name));
  return names.length === 0
    ? say.adoptsUnchanged({ id })
    : say.adoptsUncompared({ id, names: names.map(escapeControls).join(", ") });
}
