/**
 * Refuses an update that would silently undo another tool's change. A request sends each of its lists and maps as a
 * whole, so the request also sends the entries that the update does not change.
 */
import type { Call } from "../../call";
import { REFRESH } from "../../run/failureWords";
import { sameValue } from "../../schema/compare";
import { resourceSpecRows, SPEC } from "../../schema/resourceSpec";
import { printable } from "../../schema/secrecy";
import { isProperties, type Properties, propertiesIn, valueAt } from "../../schema/value";
import { alteredSecrets, type Live, liveIn } from "../live";
import { touches, type Update } from "../request";
import { goneFrom, undeclaredVariables, variablesOf } from "../variables";
import { clearedPaths } from "./current";

/** Throws a RefusedError if the update undoes a change that no plan named. `current`: the freshly read deployment. */
export function refuseLosses(update: Update, current: Properties): void {
  const { call, body } = update;
  const live = liveIn(current, call.profile);
  if (body.secrets !== undefined)
    refuseIf(
      call,
      unplannedVariables(update, live),
      "another tool has changed variables that this plan did not compare",
      REFRESH,
    );
  refuseIf(
    call,
    [...undoneEntries(update, live), ...clearedPaths(body, update, current)],
    "another tool has changed settings that this plan did not compare",
    REFRESH,
  );
  if (body.secret_references !== undefined)
    refuseIf(
      call,
      undeclaredReferences(update, live),
      "the update would remove secret references that the program does not set",
      "Set them in secretReferences, or remove them on the service",
    );
}

function refuseIf(call: Call, names: readonly string[], why: string, remedy: string): void {
  if (names.length > 0) throw call.refuse(`${why}: ${names.map(printable).join(", ")}. ${remedy}`);
}

/** The variables that somebody has added, changed or removed on the service. No plan names them. */
function unplannedVariables({ state, inputs, changes }: Update, live: Live): string[] {
  const altered = alteredSecrets({ secrets: variablesOf(state) }, live);
  const isPlanned = (name: string) =>
    changes.some(({ path }) => path === `secrets.${name}` || path === `environment.${name}`);
  // A service may drop a variable with an empty value.
  const filled = Object.entries(variablesOf(state) ?? {}).filter(([, value]) => value !== "");
  const gone = goneFrom(
    filled.map(([name]) => name),
    live,
  );
  return [...undeclaredVariables([state, inputs], live), ...altered, ...gone].filter(
    (name) => !isPlanned(name),
  );
}

const MAPS = [
  "secretReferences",
  ...Object.entries(resourceSpecRows).flatMap(([name, { kind }]) =>
    kind.type === "map" ? [`${SPEC}.${name}`] : [],
  ),
];

/** The entries that another tool has changed, in maps that the update sends. Excludes the update's own changes. */
function undoneEntries({ state, changes }: Update, live: Live): string[] {
  return MAPS.filter((map) => touches(changes, map)).flatMap((map) =>
    Object.entries(propertiesIn(valueAt(state, map.split(".")))).flatMap(([name, recorded]) => {
      const names = [...map.split("."), name];
      const value = valueAt(live.args, names);
      const spellings = [recorded, valueAt(state.observed, names)];
      const isOurs =
        !isProperties(valueAt(live.args, map.split("."))) ||
        spellings.some((each) => sameValue(each, value ?? null)) ||
        touches(changes, `${map}.${name}`);
      return isOurs ? [] : [`${map}.${name}`];
    }),
  );
}

/** The secret references that only the service has. An update of the references would remove them. */
function undeclaredReferences({ state, inputs }: Update, { args }: Live): string[] {
  const declared = [state, inputs].map(({ secretReferences }) => propertiesIn(secretReferences));
  return Object.keys(propertiesIn(args.secretReferences)).filter(
    (name) => !declared.some((each) => Object.hasOwn(each, name)),
  );
}
