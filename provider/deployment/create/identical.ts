/** Adoption of a deployment that is as the program would have made it. It sends nothing, so it refuses any other. */

import type { Call } from "../../call";
import { type Difference, differences, driftIn } from "../../fields/compare";
import { deploymentRows } from "../../fields/deployment";
import type { Rows } from "../../fields/kind";
import {
  canonicalId,
  hasUnknown,
  normalizedRows,
  type Properties,
  propertiesIn,
  rowsIn,
  valueAt,
} from "../../fields/value";
import { isAnswered } from "../../fields/wire";
import { escapeControls } from "../../fields/words";
import type { Change } from "../../verdict/changes";
import { ALTERED, describeChanges, HELD } from "../../verdict/describe";
import { say } from "../../verdict/sentences";
import { planUpdate } from "../plan";
import { argumentsIn, waits } from "../state";
import { alteredSecrets, listedIn, liveEnvironment, shownIn, variablesOf } from "../variables";

const rowsWhere = (isWanted: (row: Rows[string]) => boolean): Rows =>
  Object.fromEntries(Object.entries<Rows[string]>(deploymentRows).filter(([, row]) => isWanted(row)));

/** A request sends these lists whole, so an entry that only the service has is a difference too. */
const listRows = rowsWhere(({ kind }) => kind.type === "keyed");
const otherRows = rowsWhere((row) => isAnswered(row) && row.kind.type !== "keyed");

/** The adoption of the deployment as it is. Throws a RefusedError that names the differences, if there are any. */
export function identicalAdoption(call: Call, inputs: Properties, resource: Properties) {
  const id = resource.id as string;
  const changes = changesTo(call, inputs, resource);
  const certain = changes.filter(({ unknown }) => !unknown);
  if (certain.length > 0)
    throw call.refuse(
      `adopt: the deployment ${id} is not identical: ${describeChanges(certain, call.hidden)} (the service's value -> the program's). Give what it has; or set adopt to true, which changes it; or give another name`,
    );
  const plan = planUpdate({ ...inputs, ...unfinishedIn(resource, inputs) }, inputs, call.profile);
  return { id, resource, plan, identical: line(call, inputs, resource, changes) };
}

/** The changes that would make the deployment what the program gives; without what the service does not show. */
function changesTo(call: Call, inputs: Properties, resource: Properties): Change[] {
  const { profile } = call;
  const variables = liveVariables(call, inputs, resource);
  const live = normalizedRows(deploymentRows, { ...argumentsIn(resource, profile), ...variables });
  const drift = driftIn(otherRows, rowsIn(otherRows, inputs), live).map(
    ({ before, after, ...difference }): Difference => ({
      ...difference,
      before: after,
      after: before,
      unknown: hasUnknown(before),
    }),
  );
  return [...drift, ...differences(listRows, live, inputs)]
    .filter((difference) => !isSameId(difference))
    .map(({ path, before, after, unknown }) => ({ path, effect: "inPlace", before, after, unknown }));
}

/** Services write the letters of a UUID in lower case. */
const isSameId = ({ field, before, after }: Difference): boolean =>
  field.kind.type === "uuid" && canonicalId(String(before)) === canonicalId(String(after));

/** The service's variables. A value that it does not show counts as the program's. */
function liveVariables(call: Call, inputs: Properties, resource: Properties): Properties {
  const { profile, service } = call;
  const listed = listedIn(resource, profile);
  const isEmpty = Object.keys(listed).length === 0;
  const namesAny = (each: Properties) => Object.keys(listedIn(each, profile)).length > 0;
  // An empty list means that there are none if the service names those of another deployment.
  if (isEmpty && !profile.capabilities.showsSecretValues && !service.directory.listed.some(namesAny))
    return { secrets: inputs.secrets, environment: inputs.environment };
  const altered = alteredSecrets(inputs, resource, profile);
  const environment = isEmpty ? {} : liveEnvironment(inputs, resource, profile);
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
function line(call: Call, inputs: Properties, resource: Properties, doubts: readonly Change[]) {
  const id = resource.id as string;
  if (doubts.length > 0) return say.adoptsIfIdentical({ id, reasons: describeChanges(doubts, call.hidden) });
  const shownValues = shownIn(resource, call.profile);
  const names = Object.keys(variablesOf(inputs) ?? {}).filter((name) => !Object.hasOwn(shownValues, name));
  return names.length === 0
    ? say.adoptsUnchanged({ id })
    : say.adoptsUncompared({ id, names: names.map(escapeControls).join(", ") });
}
