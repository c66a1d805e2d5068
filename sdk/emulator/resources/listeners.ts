/**
 * The routes for listeners. Only the public service creates and deletes listeners. Elsewhere an operator installs them.
 */

import { randomUUID } from "node:crypto";
import { listenerIdRow, listenerOutputRows, listenerRows } from "../../../provider/schema/listener";
import type { Properties } from "../../../provider/schema/value";
import { Refusal } from "../http/message";
import { pageOf, paging, param, type Route, type RoutedRequest, route } from "../http/route";
import { mergePatch, withoutNulls } from "../json";
import { Collection, changedAt, type EmulatedService, timestampOf } from "../service";
import { wiresOf } from "../table";
import { checkBody, creationRules, nullIsLeftOut, patchRules } from "../validation";

export interface StoredListener {
  readonly id: string;
  compute_type: string;
  compute_id: string;
  compute_config: Properties;
  version: string | null;
  created_at: string;
  updated_at: string;
}

/** A listener as an operator installs it. Omitted fields have defaults. */
export interface NewListener {
  /** The compute type; defaults to `k8s`. */
  compute_type?: string;
  compute_id: string;
  compute_config?: { k8s_namespaces?: string[] | null };
  version?: string | null;
}

export const listeners = new Collection<StoredListener>("listeners", "Listener");

const LISTENERS = "/v2/listeners";
const LISTENER = `${LISTENERS}/{listener_id}`;

const table = {
  rows: listenerRows,
  readOnly: wiresOf({ id: listenerIdRow, ...listenerOutputRows }),
};

export function listenerRoutes(service: EmulatedService): Route[] {
  const { profile, behaviour } = service;
  const creation = creationRules(profile, table);
  const patch = patchRules(profile, table, nullIsLeftOut(profile));
  const listenerOf = (call: RoutedRequest) => listeners.find(service, param(call, "listener_id"));
  const page = ({ query }: RoutedRequest) => pageOf(listeners.newestFirst(service), query, behaviour);
  return [
    route(`GET ${LISTENERS}`, page, { query: paging }),
    route(`PATCH ${LISTENER}`, (call) =>
      patchListener(service, listenerOf(call), checkBody(patch, call.body)),
    ),
    route(`POST ${LISTENERS}`, ({ body }) => createListener(service, checkBody(creation, body)), {
      needs: "createListener",
      status: 201,
    }),
    route(`GET ${LISTENER}`, listenerOf, { needs: "createListener" }),
    route(`DELETE ${LISTENER}`, (call) => listeners.remove(service, listenerOf(call)), {
      needs: "deleteListener",
      status: 204,
    }),
  ];
}

function createListener(service: EmulatedService, body: Properties): StoredListener {
  if (listeners.all(service).some(({ compute_id }) => compute_id === body.compute_id))
    throw new Refusal(409, `Listener for compute ID '${body.compute_id}' already exists.`);
  return addListener(service, body as unknown as NewListener);
}

function patchListener(service: EmulatedService, listener: StoredListener, body: Properties) {
  const { profile, behaviour } = service;
  const changes = nullIsLeftOut(profile) ? (withoutNulls(body) as Properties) : body;
  const { version = listener.version, compute_config: config } = changes;
  listener.version = version as string | null;
  if (config !== undefined)
    listener.compute_config = configOf(
      behaviour.patch === "replace" ? config : mergePatch(listener.compute_config, config),
    );
  listener.updated_at = changedAt(listener.updated_at);
  return listener;
}

function configOf(config: unknown): Properties {
  return { k8s_namespaces: null, ...(withoutNulls(config ?? {}) as Properties) };
}

export function addListener(service: EmulatedService, listener: NewListener): StoredListener {
  const { compute_type = "k8s", compute_id } = listener;
  const now = timestampOf(Date.now());
  return listeners.add(service, {
    id: randomUUID(),
    compute_type,
    compute_id,
    compute_config: configOf(listener.compute_config),
    version: listener.version ?? null,
    created_at: now,
    updated_at: now,
  });
}

export function addMissingListeners(service: EmulatedService, computeIds: readonly string[]): void {
  const installedIds = listeners.all(service).map(({ compute_id }) => compute_id);
  for (const compute_id of computeIds)
    if (!installedIds.includes(compute_id)) addListener(service, { compute_id });
  service.store.save();
}
