/** Threads of running deployments and what they hold. How far a run is follows from the clock alone, so that it survives a restart. */
import { randomUUID } from "node:crypto";
import { notFound } from "./refusal";
import { deploymentById, type Service, timestampOf } from "./service";

/** A message of a run's input. */
export interface RoleMessage {
  readonly role: string;
  readonly content: string | readonly unknown[];
}

/** A message as a thread holds it. */
export interface ThreadMessage {
  readonly type: string;
  readonly content: string | readonly unknown[];
}

export interface StoredRun {
  readonly id: string;
  /** It waits for its turn until then. */
  readonly startMs: number;
  readonly endMs: number;
  readonly given: readonly ThreadMessage[];
  /** What it adds at its end. */
  readonly replies: readonly ThreadMessage[];
  /** Set when it fails at its end. */
  readonly failure?: { readonly error: string; readonly message: string };
}

export interface StoredThread {
  readonly id: string;
  readonly deploymentId: string;
  readonly createdMs: number;
  /** In the order in which they have their turns. */
  readonly runs: StoredRun[];
}

export function createThread(service: Service, deploymentId: string) {
  const { id: owner } = deploymentById(service, deploymentId);
  const thread: StoredThread = { id: randomUUID(), deploymentId: owner, createdMs: Date.now(), runs: [] };
  service.store.state.threads = [...(service.store.state.threads ?? []), thread];
  return { thread_id: thread.id, created_at: timestampOf(thread.createdMs) };
}

export function threadById(service: Service, deploymentId: string, id: string): StoredThread {
  const { id: owner } = deploymentById(service, deploymentId);
  const thread = (service.store.state.threads ?? []).find(
    (other) => other.id === id.toLowerCase() && other.deploymentId === owner,
  );
  if (!thread) throw notFound("Thread", id);
  return thread;
}

export function threadState(service: Service, deploymentId: string, id: string) {
  return { values: valuesAt(threadById(service, deploymentId, id).runs, Date.now()) };
}

/** What the runs have left in the thread by then; without a run that has started, nothing at all. */
export function valuesAt(runs: readonly StoredRun[], now: number): { messages?: ThreadMessage[] } {
  const started = runs.filter(({ startMs }) => startMs <= now);
  if (started.length === 0) return {};
  const messages = started.flatMap(({ given, replies, endMs }) => [
    ...given,
    ...(endMs <= now ? replies : []),
  ]);
  return { messages };
}
