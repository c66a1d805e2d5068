/** Threads of running deployments. The clock alone decides how far a run is, so that it survives a restart. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { notFound } from "../http/answer";
import { type Call, param, type Route, route } from "../http/route";
import { type Service, timestampOf } from "../service";
import { Collection } from "../store";
import { checkBody, rulesOf } from "../validation";
import { deploymentOf } from "./deployments/storedDeployment";

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

interface StoredThread {
  readonly id: string;
  readonly deploymentId: string;
  readonly createdMs: number;
  /** In the order of their turns. */
  readonly runs: StoredRun[];
}

const threads = new Collection<StoredThread>("threads", "Thread");

const THREADS = "/runtime/{deployment_id}/threads";
export const THREAD = `${THREADS}/{thread_id}`;

export function threadRoutes(service: Service): Route[] {
  // The contract leaves open which fields a thread has.
  const creation = rulesOf(z.record(z.string(), z.unknown()));
  return [
    route(`POST ${THREADS}`, (call) => {
      checkBody(creation, call.body);
      return createThread(service, deploymentOf(service, call).id);
    }),
    route(`GET ${THREAD}/state`, (call) => ({ values: valuesAt(threadOf(service, call).runs, Date.now()) })),
  ];
}

function createThread(service: Service, deploymentId: string) {
  const now = Date.now();
  const { id } = threads.add(service, { id: randomUUID(), deploymentId, createdMs: now, runs: [] });
  return { thread_id: id, created_at: timestampOf(now) };
}

/** The thread of the call; 404 when its deployment has none of the id. */
export function threadOf(service: Service, call: Call): StoredThread {
  const deployment = deploymentOf(service, call);
  const id = param(call, "thread_id");
  const thread = threads.get(service, id);
  if (thread?.deploymentId !== deployment.id) throw notFound("Thread", id);
  return thread;
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
