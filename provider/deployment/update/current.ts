/**
 * The values that a request carries besides its changes. A call that makes a revision takes all settings of the revision,
 * so it sends each value that the update does not change as the service has the value at that moment. Otherwise a change
 * of a secret would undo another tool's release.
 */
import { COMMIT, isFormOf, sameValue } from "../../fields/compare";
import { deploymentRows, sourceConfigRows, sourceRevisionConfigRows } from "../../fields/deployment";
import type { Rows } from "../../fields/kind";
import { resourceSpecRows, SPEC } from "../../fields/resourceSpec";
import { type Properties, propertiesIn, valueAt, withValueAt } from "../../fields/value";
import { wirePath } from "../../fields/wire";
import type { Plan } from "../plan";

const REPO_REF = "sourceRevisionConfig.repoRef";

/** Every value that a revision's call may carry, by its path in the program. */
const CARRIED: readonly (readonly string[])[] = [
  ...within("sourceConfig", sourceConfigRows).filter((names) => names.join(".") !== SPEC),
  ...within(SPEC, resourceSpecRows),
  ...within("sourceRevisionConfig", sourceRevisionConfigRows),
];

function within(place: string, rows: Rows): string[][] {
  return Object.keys(rows).map((name) => [...place.split("."), name]);
}

interface CurrentBody {
  readonly body: Properties;
  /** Paths of the values that the body has from the service, because they differ from the program's values. */
  readonly current: readonly string[];
}

/** The body with the service's values for everything that the plan does not change. `resource`: as just read. */
export function withCurrentValues(body: Properties, plan: Plan, resource: Properties): CurrentBody {
  const { changes, profile, olds } = plan;
  const isChanged = (path: string) =>
    changes.some((change) => `${path}.`.startsWith(`${change.path}.`) || change.path.startsWith(`${path}.`));
  const current: string[] = [];
  let currentBody = body;
  for (const names of CARRIED) {
    const path = names.join(".");
    const place = wirePath(deploymentRows, path, profile);
    const [sent, live] = [valueAt(body, place), valueAt(resource, place)];
    if (sent === undefined || sent === null || live === undefined || live === null) continue;
    if (isChanged(path) || isSpelling({ path, sent, live }, olds, resource)) continue;
    current.push(path);
    const branch = path === REPO_REF ? branchIn(resource) : undefined;
    currentBody = withValueAt(currentBody, place, branch ?? live) as Properties;
  }
  return { body: currentBody, current };
}

interface Carried {
  readonly path: string;
  readonly sent: unknown;
  readonly live: unknown;
}

/** Whether the service's value is only its own spelling of the program's value. */
function isSpelling({ path, sent, live }: Carried, olds: Properties, resource: Properties): boolean {
  if (sameValue(sent, live) || sameValue(propertiesIn(olds.respelled)[path], live)) return true;
  const { latest_revision_id: latest } = resource;
  // A revision never changes, so the settings of the recorded revision are still the program's.
  if (
    path.startsWith("sourceRevisionConfig.") &&
    typeof latest === "string" &&
    latest === olds.describedRevision
  )
    return true;
  if (typeof sent !== "string" || typeof live !== "string") return isFormOf(live, sent);
  if (path === "sourceRevisionConfig.imageUri") return isDigestOf(live, sent);
  const branch = path === REPO_REF ? branchIn(resource) : undefined;
  if (branch !== undefined) return branch === sent.replace(/^refs\/heads\//, "");
  // A branch moves to other commits, but a tag does not.
  return COMMIT.test(live) && !sent.startsWith("refs/tags/") && isFormOf(live, sent);
}

/** Whether the live image is the sent image, with the digest added. Another tag of the same image is another release. */
function isDigestOf(live: string, sent: string): boolean {
  const [digest, sentDigest] = [live, sent].map((image) => image.split("@")[1]);
  return digest !== undefined && (live === `${sent}@${digest}` || digest === sentDigest);
}

/** The branch that the service builds, if it names the branch beside the commit. */
function branchIn(resource: Properties): string | undefined {
  const branch = valueAt(resource, ["source_config", "repo_branch"]);
  return typeof branch === "string" && branch !== "" ? branch.replace(/^refs\/heads\//, "") : undefined;
}
