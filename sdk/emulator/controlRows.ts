/** The fields in the bodies of the emulator's control calls, with one row for each field. */
import {
  computed,
  decimal,
  integer,
  integerFrom,
  json,
  jsonObject,
  listOf,
  mapOf,
  nonEmptyText,
  object,
  required,
  text,
} from "../../provider/fields/kind";

const optionalText = computed(nonEmptyText);
const needed = required(optionalText);
const record = computed(jsonObject);

export const pushRows = {
  /** Id of the deployment. */
  deploymentId: needed,
  /** Branch, tag or commit that was pushed; the newest revision's ref unless given. */
  repoRef: optionalText,
  /** The commit that is built; a random commit unless given. */
  commitSha: optionalText,
};

export const changeRows = {
  /** Id of the deployment. */
  deploymentId: needed,
  /** The fields to change, under wire names; null clears a field. */
  patch: required(record),
};

export const settleRows = {
  /** Id of the deployment. */
  deploymentId: needed,
  /** The last status of the revision, such as `DEPLOY_FAILED`. */
  status: needed,
  /** Why the revision failed, for `status_message`. */
  message: optionalText,
};

export const removeRows = {
  /** Id of the deployment. */
  deploymentId: needed,
};

export const listenerRows = {
  /** Compute id of the listener. */
  compute_id: needed,
};

export const repositoriesRows = {
  /** Id of the integration. */
  integrationId: needed,
  /** The repositories, each with at least `owner` and `name`. */
  repositories: required(computed(listOf(object({ owner: needed, name: needed })))),
};

export const tokenRows = {
  /** Id of the token. */
  id: needed,
};

export const seedRows = {
  /** How many deployments to add. */
  count: required(computed(integerFrom(1))),
};

export const faultRows = {
  /** The kind of fault, see below. */
  kind: needed,
  /** The requests that the fault applies to: their `method`, and a regular expression (`pathPattern`) found in their path; all unless given. */
  match: computed(object({ method: optionalText, pathPattern: optionalText })),
  /** How many times the fault happens; 1 unless given. */
  times: computed(integer),
  /** For `status` and `status-after`: the status of the answer. For `revision`: the last status of the revision. */
  status: computed(json),
  /** For `revision`: why the revision fails, for `status_message`. */
  message: optionalText,
  /** For `status` and `status-after`: the body of the answer; `{"detail": …}` unless given. */
  body: computed(json),
  /**
   * For `status` and `status-after`: the content type of `body`; plain text for a string and JSON for any other value
   * unless given.
   */
  contentType: optionalText,
  /** For `status` and `status-after`: further headers of the answer. */
  headers: computed(mapOf(text)),
  /** For `delay`: how many milliseconds pass before the request is carried out. */
  ms: computed(decimal),
};
