/**
 * The values that a request carries besides its changes. A request must carry all managed settings of a section. For
 * each setting that the update does not change, the request therefore sends the service's current value. Otherwise, a
 * change to a secret would undo another tool's release.
 */
import type { Profile } from "../../profiles/profiles";
import { holds, sameValue } from "../../schema/compare";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../schema/deployment";
import type { Rows } from "../../schema/kind";
import { resourceSpecRows, SPEC } from "../../schema/resourceSpec";
import { isAbsent, type Properties, reducedTo, valueAt, withValueAt } from "../../schema/value";
import { wirePath } from "../../schema/wire";
import { UNSENT } from "../intent";
import { liveIn, replacesSpec } from "../live";
import { isSpelling, withUnmanaged } from "../observed";
import type { Plan } from "../plan";

const REPO_REF = "sourceRevisionConfig.repoRef";

/** Every value that a request may carry unchanged, by its path in the program. */
const CARRIED: readonly (readonly string[])[] = [
  ...within("sourceConfig", sourceConfigRows).filter((names) => names.join(".") !== SPEC),
  ...within(SPEC, resourceSpecRows),
  ...within("sourceRevisionConfig", sourceRevisionConfigRows),
];

const CARRIED_PATHS: readonly string[] = CARRIED.map((names) => names.join("."));

const isChanged = (changes: Plan["changes"], path: string): boolean =>
  changes.some((change) => `${path}.`.startsWith(`${change.path}.`) || change.path.startsWith(`${path}.`));

/** Paths at which the plan's request may send the service's current values. */
export const unchangedPaths = ({ changes }: Plan): string[] =>
  CARRIED_PATHS.filter((path) => !isChanged(changes, path));

/** The settings that the body carries although the plan does not change them. */
export const carriedUnchanged = (body: Properties, { changes, profile }: Plan): (readonly string[])[] =>
  CARRIED.filter((names) => {
    const path = names.join(".");
    return !isChanged(changes, path) && !isAbsent(valueAt(body, wirePath(deploymentRows, path, profile)));
  });

/**
 * Whether the deployment already shows every change that the plan sends; false if the service never shows one of the
 * values, such as a secret. `body`: the body that the plan sends.
 */
export function showsChanges(body: Properties, { changes, profile }: Plan, resource: Properties): boolean {
  const sentChanges = changes.filter(
    ({ path, effect }) => effect !== "kept" && !UNSENT.includes(path.split(".")[0] as string),
  );
  const changedPaths = CARRIED_PATHS.filter((path) => isChanged(sentChanges, path));
  const places = changedPaths.map((path) => wirePath(deploymentRows, path, profile));
  return (
    places.length > 0 &&
    sentChanges.every(({ path }) => CARRIED.some(([section]) => path.startsWith(`${section}.`))) &&
    places.every((place) => {
      const target = valueAt(body, place);
      return target !== undefined && holds(valueAt(resource, place), target);
    })
  );
}

function within(place: string, rows: Rows): string[][] {
  return Object.keys(rows).map((name) => [...place.split("."), name]);
}

/** Whether no request can change the setting, or a part of it. Any difference is then only a spelling. */
const isImmutable = (path: string, { classes }: Profile): boolean =>
  Object.entries(classes).some(([place, each]) => each === "replace" && `${place}.`.startsWith(`${path}.`));

/** Paths of the settings in `sourceConfig` that another tool has cleared, and that the body would set again. */
export function clearedPaths(body: Properties, plan: Plan, resource: Properties): string[] {
  const { profile, state } = plan;
  const live = liveIn(resource, profile);
  const isCleared = (names: readonly string[]): boolean => {
    const path = names.join(".");
    const place = wirePath(deploymentRows, path, profile);
    if (!isAbsent(valueAt(resource, place)) || isImmutable(path, profile)) return false;
    return names[0] === "sourceConfig" && !isSpelling(names, valueAt(body, place), undefined, state, live);
  };
  return carriedUnchanged(body, plan)
    .filter(isCleared)
    .map((names) => names.join("."));
}

interface CurrentBody {
  readonly body: Properties;
  /** Paths of the body's values that come from the service, because they differ from the program's values. */
  readonly current: readonly string[];
}

/**
 * The complete body of the request. `resource`: the freshly read deployment. If the service replaces the whole resource
 * spec, the body has the unmanaged members too. The service's values replace all values that the plan does not change.
 */
export function withCurrentValues(body: Properties, plan: Plan, resource: Properties): CurrentBody {
  const { profile, state } = plan;
  const live = liveIn(resource, profile);
  let currentBody = replacesSpec(body, profile) ? withUnmanaged(body, live, plan) : body;
  const current: string[] = [];
  for (const names of carriedUnchanged(body, plan)) {
    const path = names.join(".");
    const place = wirePath(deploymentRows, path, profile);
    const [sentValue, liveValue] = [valueAt(body, place), valueAt(resource, place)];
    if (isAbsent(liveValue) || sameValue(sentValue, reducedTo(sentValue, liveValue))) continue;
    if (isImmutable(path, profile) || isSpelling(names, sentValue, liveValue, state, live)) continue;
    current.push(path);
    const branch = path === REPO_REF ? live.branch : undefined;
    currentBody = withValueAt(currentBody, place, branch ?? liveValue);
  }
  return { body: currentBody, current };
}
