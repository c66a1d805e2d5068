/** Listener: compute infrastructure on which deployments run. */
import {
  type ClassedRows,
  choice,
  computed,
  type Field,
  group,
  inPlace,
  listOf,
  nonEmptyText,
  notSent,
  nullable,
  part,
  replace,
  required,
  text,
  timestamp,
  uuid,
  type ValuesOf,
} from "./kind";

const computeConfigRows = {
  /** Kubernetes namespaces in which deployments may run. */
  k8sNamespaces: inPlace("k8s_namespaces", listOf(text)),
} as const;

/** Settings of the infrastructure. */
export interface ListenerComputeConfig extends ValuesOf<typeof computeConfigRows> {}

export const listenerRows = {
  /** Kind of infrastructure. */
  computeType: required(replace("compute_type", choice("k8s"))),
  /** Id that the user gave the infrastructure, such as the cluster's name. */
  computeId: required(replace("compute_id", nonEmptyText)),
  /** Settings of the infrastructure. */
  computeConfig: group("compute_config", computeConfigRows) as Field<ListenerComputeConfig, "inPlace">,
  /** Version of the listener; managed only if set. For a listener that is only read, null if the service has none. */
  version: { ...nullable(inPlace("version", text)), keptIfUnset: true },

  /** Effect of destroying the resource: leave the listener, delete the listener, or fail. */
  onDestroy: notSent("inPlace", choice("retain", "delete", "fail")),
  /**
   * Name of the connection in the configuration; defaults to the default connection. Switching to another connection
   * to the same service does not replace the resource.
   */
  connection: notSent("replace", nonEmptyText),
} as const satisfies ClassedRows;

export const listenerOutputRows = {
  /** Time of creation, ISO 8601. */
  createdAt: part("created_at", timestamp),
  /** Time of the last change, ISO 8601. */
  updatedAt: part("updated_at", timestamp),
} as const;

/** Outputs that the provider adds. */
export const listenerComputedRows = {
  /** Base URL of the service that has the listener. */
  serviceUrl: required(computed(text)),
} as const;

export const listenerIdRow = part("id", uuid);
