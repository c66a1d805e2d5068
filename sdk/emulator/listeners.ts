/** Listeners: listed and patched, and where the service can, created and deleted. */
import { randomUUID } from "node:crypto";
import { type JsonRecord, mergePatch, withoutNulls } from "./mergePatch";
import { pageOf, type Query } from "./query";
import { notFound, Refusal } from "./refusal";
import { changedAt, type Service, timestampOf } from "./service";
import type { StoredListener } from "./store";
import { checkBody } from "./validation";

/** A listener as somebody installs it; everything left out has a default. */
export interface NewListener {
  /** `k8s` unless given. */
  compute_type?: string;
  compute_id: string;
  compute_config?: { k8s_namespaces?: string[] | null };
  version?: string | null;
}

export function addListener(service: Service, given: NewListener): StoredListener {
  const now = timestampOf(Date.now());
  const listener: StoredListener = {
    id: randomUUID(),
    compute_type: given.compute_type ?? "k8s",
    compute_id: given.compute_id,
    compute_config: configOf(given.compute_config),
    version: given.version ?? null,
    created_at: now,
    updated_at: now,
  };
  service.store.state.listeners.push(listener);
  return listener;
}

function refuseWithoutPlan({ behaviour, profile }: Service): void {
  if (behaviour.listenersAllowed || !profile.moreOperations) return;
  throw new Refusal(403, "The plan of this workspace has no listeners.");
}

export function createListener(service: Service, given: unknown): StoredListener {
  refuseWithoutPlan(service);
  const body = checkBody(service.bodies.createListener, given) as unknown as NewListener;
  if (service.store.state.listeners.some((other) => other.compute_id === body.compute_id)) {
    throw new Refusal(409, `Listener for compute ID '${body.compute_id}' already exists.`);
  }
  return addListener(service, body);
}

export function listListeners(service: Service, query: Query) {
  return pageOf([...service.store.state.listeners].reverse(), query, service.behaviour);
}

export function getListener(service: Service, id: string): StoredListener {
  refuseWithoutPlan(service);
  const listener = service.store.state.listeners.find((other) => other.id === id.toLowerCase());
  if (!listener) throw notFound("Listener", id);
  return listener;
}

export function patchListener(service: Service, id: string, given: unknown): StoredListener {
  const listener = getListener(service, id);
  const body = checkBody(service.bodies.patchListener, given);
  const { version, compute_config: config } = service.profile.nullIsLeftOut ? leftOut(body) : body;
  if (version !== undefined) listener.version = version as string;
  if (config !== undefined) {
    listener.compute_config =
      service.behaviour.patch === "replace"
        ? configOf(config)
        : configOf(mergePatch(listener.compute_config, config));
  }
  listener.updated_at = changedAt(listener.updated_at);
  return listener;
}

export function deleteListener(service: Service, id: string): undefined {
  const listener = getListener(service, id);
  service.store.state.listeners = service.store.state.listeners.filter((other) => other !== listener);
  return undefined;
}

/** Without the members that are null. */
function leftOut(body: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function configOf(given: unknown): JsonRecord {
  return { k8s_namespaces: null, ...(withoutNulls(given ?? {}) as JsonRecord) };
}
