/** Rollout: the deployments to wait for. The control API receives none of these fields. */
import { ROLLOUT_TIMEOUT_SECONDS } from "./deployment";
import {
  type ClassedRows,
  computed,
  decimal,
  integer,
  integerFrom,
  mapOf,
  nonEmptyText,
  notSent,
  object,
  part,
  required,
  secret,
  text,
  withDefault,
} from "./kind";
import { verificationRows } from "./verification";

export const rolloutRows = {
  /** Deployments to wait for, by their names in the program. */
  deployments: required(
    notSent(
      "inPlace",
      mapOf(
        object({
          /** Id of the deployment. */
          id: required(part("id", nonEmptyText)),
          /** A string that changes with each revision of the deployment. */
          revisionKey: required(part("revisionKey", nonEmptyText)),
          /** Name of the deployment's connection; defaults to the default connection. */
          connection: part("connection", text),
        } as const),
      ),
    ),
  ),
  /** For each deployment, by its name in the program: conversations that verify a new revision. */
  verify: secret(notSent("inPlace", mapOf(object({ ...verificationRows })))),
  /** Longest wait for all deployments together, in seconds; defaults to 1800. */
  timeoutSeconds: withDefault(ROLLOUT_TIMEOUT_SECONDS)(notSent("inPlace", integerFrom(1))),
  /** Name of the connection for all deployments; defaults to each deployment's own connection. */
  connection: notSent("inPlace", nonEmptyText),
} as const satisfies ClassedRows;

/** The result of the last wait. */
export const rolloutOutputRows = {
  /** How many of the deployments run their newest revision. */
  deployed: required(computed(integer)),
  /** How long the last wait took, in seconds. */
  seconds: required(computed(decimal)),
  /** The newest revision of each deployment at the last wait, by the deployment's name in the program. */
  revisions: required(computed(mapOf(text))),
  /**
   * The last status of each revision in `revisions`, by the same names; the status is `VERIFY_FAILED` if the revision's
   * reply was wrong, and `UNVERIFIED` if no reply could be judged.
   */
  statuses: required(computed(mapOf(text))),
  /** How the last wait ended: `deployed`, `failed` or `unfinished`. */
  rolloutState: required(computed(text)),
} as const;
