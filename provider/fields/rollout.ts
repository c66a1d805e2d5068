/** Rollout: what it waits for. None of it is ever sent. */
import {
  type ClassedRows,
  decimal,
  integer,
  integerFrom,
  mapOf,
  nonEmptyText,
  notSent,
  object,
  part,
  required,
  text,
} from "./kind";

export const rolloutRows = {
  /** The deployments by their names in the program. */
  deployments: required(
    notSent(
      "inPlace",
      mapOf(
        object({
          /** Id of the deployment. */
          id: required(part("id", nonEmptyText)),
          /** What changes with each of its revisions. */
          revisionKey: required(part("revisionKey", nonEmptyText)),
          /** Name of the connection on which it lives; the default one unless given. */
          connection: part("connection", text),
        } as const),
      ),
    ),
  ),
  /** Longest wait in seconds, for all of them together; 1800 unless given. */
  timeoutSeconds: notSent("inPlace", integerFrom(1)),
  /** Name of the connection through which to ask; for each deployment its own unless given. */
  connection: notSent("inPlace", nonEmptyText),
} as const satisfies ClassedRows;

export const rolloutOutputRows = {
  /** How many of the deployments run their newest revision. */
  deployed: part("deployed", integer),
  /** How long the last wait took. */
  seconds: part("seconds", decimal),
  /** The newest revision of each deployment, by its name in the program. */
  revisions: part("revisions", mapOf(text)),
  /** How the last wait ended: `deployed`, `failed` or `unfinished`. */
  rolloutState: part("rolloutState", text),
} as const;
